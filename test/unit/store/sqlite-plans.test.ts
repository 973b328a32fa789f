import assert from "node:assert/strict";
// Its statements belong to no class of the store.
import "../../../lib/store/history/present";
import "../../../lib/store/history/count-ahead";
import "../../../lib/store/history/report-days";
import "../../../lib/store/instance-loads";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import { rowsOf } from "../../../lib/store/engine/query";
import { allStatements, statement } from "../../../lib/store/schema/statement";
import { Store } from "../../../lib/store/store";
import { useFolder } from "./use-folder";

/** Indexes of what is on its way, which stay small; and tables that do. */
const SMALL =
  /USING (?:COVERING )?INDEX (?:requests_leaving|requests_open|requests_filling|jobs_unsealed|events_new|wait_recipients_heard|waits_due|replies_of_wait)|^SCAN instances/;
/** Aliases of the tables that grow with the history. */
const LARGE =
  /^SCAN (?:jobs|requests|recipients|events|duplicates|opt_outs|once_keys|spent|contacts|codes|code_counts|waits|wait_recipients|replies|digests|digest_items|[jrcvodk])\b/;

describe("the statements of a store", () => {
  const folder = useFolder();

  it("never read through the whole history", async () => {
    const { engine, release } = await shareSqlite(folder());
    const own = allStatements().filter(
      ({ name }) => !name.startsWith("test_") && !name.startsWith("history_"),
    );
    assert.ok(own.length > 40 && new Store(engine, { keepTexts: true }), "the statements were not found");
    const scans: string[] = [];
    for (const { name, text } of own) {
      const explain = statement(`test_plan_${name}`)`EXPLAIN QUERY PLAN ${text}`;
      const rows = await rowsOf(engine, explain);
      assert.ok(rows.length > 0 || text("sqlite").startsWith("INSERT"), name);
      const steps = rows.map(({ detail }) => String(detail));
      // Short names that other statements give to something else.
      const ofWaits = /^(?:waits|replies)_/.test(name) ? /^SCAN [wpgx]\b/ : /^$/;
      scans.push(
        ...steps
          .filter((step) => (LARGE.test(step) || ofWaits.test(step)) && !SMALL.test(step))
          .map((step) => `${name}: ${step}`),
      );
    }
    await release();
    // A subquery that goes through the few open requests bears the name of an alias as well.
    assert.deepEqual(
      scans.filter((scan) => !/^recovery_open: SCAN o$|^duplicates_receivers: SCAN k$/.test(scan)),
      [],
    );
  });
});
