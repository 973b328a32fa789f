import assert from "node:assert/strict";
import { answerQuery } from "../../../../lib/runtime/log/log-answer";
import { readLogQuery } from "../../../../lib/runtime/log/log-query";
import { MOST_LOOKED } from "../../../../lib/shared/history/history";
import { takeJob } from "../../store/suite/store-under-test";
import { useAccountStore } from "../store/account-store";

describe("a search of the log for a name", () => {
  const use = useAccountStore();
  const search = (values: Record<string, unknown>) => {
    const { store, account } = use();
    return answerQuery(store, account, readLogQuery("search", values, "", 0), "UTC", 0);
  };

  it("says that there is more where it has not looked through all messages", async () => {
    const { store, account } = use();
    for (const person of ["1 Ada", "2 Ben"]) {
      await takeJob(store, [{ recipients: ["41791234567"], person }], { account });
    }
    const { look } = store.history;
    let asked = 0;
    store.history.look = (filter, after, most, budget) => {
      asked = budget;
      return look.call(store.history, filter, after, most, 1);
    };
    const { count, more } = await search({ person: "ADA" });
    assert.deepEqual([count, more, asked], [0, true, MOST_LOOKED]);
    store.history.look = look;
    const all = await search({ person: "ADA" });
    assert.deepEqual([all.count, all.more], [1, false]);
  });
});
