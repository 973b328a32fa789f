import type { Engine } from "../../../../lib/store/engine/engine";
import { call } from "../../../../lib/store/engine/query";
import { statement } from "../../../../lib/store/schema/statement";

const TABLES = [
  "instances",
  "jobs",
  "snapshots",
  "requests",
  "recipients",
  "events",
  "duplicates",
  "paused_accounts",
  "instance_nodes",
  "rates",
  "once_keys",
  "opt_outs",
  "spent",
  "waits",
  "wait_recipients",
  "replies",
  "contacts",
  "codes",
  "code_counts",
  "places",
  "arrivals",
];
const EMPTY = TABLES.map((table) => statement(`test_empty_${table}`)`DELETE FROM ${table}`);

/** Deletes everything but the schema. */
export const emptyStore = async (engine: Engine): Promise<void> => {
  await engine.run(EMPTY.map((each) => call(each)));
};
