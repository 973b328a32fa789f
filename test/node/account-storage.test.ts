import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeAPI } from "node-red";
import { withStore } from "../../lib/runtime/admin/store-request";
import { Account } from "../../lib/runtime/account/account";
import { SetupError } from "../../lib/shared/messaging-error";
import { shareSqlite } from "../../lib/store/engine/sqlite/shared-sqlite";
import { Store } from "../../lib/store/store";
import { waitFor } from "../support/wait-for";
import { answered, takeJob } from "../unit/store/suite/store-under-test";
import { useFolder } from "../unit/store/use-folder";
import { ACCOUNT, type Config, resultOf, setEnv, startFlow, type TestFlow, untilBadge } from "./flow";
import { useSimulator } from "./use-simulator";

const DAY = 24 * 60 * 60 * 1000;

describe("storage of an account", () => {
  useSimulator();
  const folder = useFolder();
  const kept = (config: Config = {}): Config => ({
    keepMessages: "computer",
    storeFolder: folder(),
    ...config,
  });
  const storeOf = ({ node }: TestFlow, id = ACCOUNT) => Account.of(node(id)).store();

  it("uses a file in the account's folder, which may be a variable", async () => {
    setEnv({ TEST_STORE_FOLDER: join(folder(), "from-a-variable") });
    const store = await storeOf(await startFlow({ account: kept({ storeFolder: "${TEST_STORE_FOLDER}" }) }));
    assert.equal(store?.store.engine.place, join(folder(), "from-a-variable", "messages.db"));
  });

  it("refuses settings that cannot work", async () => {
    for (const [config, code] of [
      [{ keepMessages: "elsewhere" }, "BAD_SETTING"],
      [{ keepDays: "3651" }, "BAD_SETTING"],
      [{ storeFolder: "${GONE_STORE_FOLDER}" }, "UNRESOLVED_VARIABLE"],
      [{ storeFolder: "~/messages" }, "BAD_SETTING"],
    ] as const) {
      const flow = await startFlow({ account: kept(config) });
      await assert.rejects(storeOf(flow), (error) => error instanceof SetupError && error.code === code);
      await flow.stop();
    }
  });

  it("shows readers the problem without any path", async () => {
    const taken = join(folder(), "taken");
    writeFileSync(taken, "");
    let found: NodeAPI | null = null;
    await startFlow({
      account: kept({ storeFolder: taken }),
      register: [(api) => (found = api)],
    });
    const RED = (found ?? assert.fail()) as NodeAPI;
    const answer = await withStore(RED, ACCOUNT, () => assert.fail("there is no store"));
    assert.deepEqual(answer, {
      error: "store",
      message:
        "The folder of the message store cannot be used: the test in the dialog of the account names it. Check the path of the folder in the account.",
    });
  });

  it("sends nothing and shows the error on the badge while the store cannot be opened", async () => {
    const taken = join(folder(), "taken");
    writeFileSync(taken, "");
    const flow = await startFlow({ account: kept({ storeFolder: taken }) });
    flow.send({ to: "+41790000001", payload: "Hello" });
    const { outcome, statusName, statusMessage } = resultOf((await flow.ports[2]!.until(1))[0]);
    assert.deepEqual([outcome, statusName], ["retry-later", "STORE_UNAVAILABLE"]);
    assert.ok(statusMessage.includes(taken), statusMessage);
    await untilBadge(flow, /store folder is wrong/);
    rmSync(taken);
    flow.send({ to: "+41790000001", payload: "Hello" });
    assert.equal(resultOf((await flow.ports[0]!.until(1))[0]).outcome, "sent");
    await untilBadge(flow, /1 accepted/);
  });

  it("deletes data of removed accounts, not of disabled ones and those in subflows", async () => {
    const { engine, release } = await shareSqlite(folder());
    const clock = { now: () => Date.now() - 70 * DAY, elapsed: () => 0 };
    const old = new Store(engine, { keepTexts: false, clock });
    await old.instances("before").start();
    for (const account of ["gone", "disabled", "instance-in-subflow", ACCOUNT]) {
      const [id = 0] = await takeJob(old, [{}], { account });
      await old.claims.claim(account, "before", 1);
      await old.settlements.settle("before", [answered(id, { emitted: true })]);
    }
    await release();
    const flow = await startFlow({
      account: kept(),
      more: [
        { id: "disabled", type: "messaging-account", d: true },
        { id: "subflow", type: "subflow", name: "", in: [], out: [] },
        { id: "in-subflow", type: "messaging-account", z: "subflow" },
      ],
    });
    const store = await storeOf(flow);
    const left = async (): Promise<string[]> =>
      ((await store?.store.history.search({}, null, 10)) ?? []).map(({ account }) => account).sort();
    await waitFor("the old messages to go", async () => (await left()).length <= 2);
    assert.deepEqual(await left(), ["disabled", "instance-in-subflow"]);
  });
});
