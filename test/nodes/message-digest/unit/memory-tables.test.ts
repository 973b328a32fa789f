import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(__dirname, "../../../..");
/** Opens the memory of the process as a webhook-in without an account does, and counts digests in it. */
const SCRIPT = `
  require("./nodes/webhook-in/node");
  const { openMemoryStore } = require("./lib/runtime/store/open-store");
  const { countGathered } = require("./nodes/message-digest/store/digests");
  openMemoryStore().then(async ({ store }) => {
    console.log(await countGathered(store.engine, "a1"));
    process.exit(0);
  });`;

describe("The tables of digests", () => {
  it("exist in memory that a webhook-in without an account has opened", () => {
    const { stdout, stderr } = spawnSync(process.execPath, ["--require", "tsx/cjs", "--eval", SCRIPT], {
      cwd: ROOT,
      encoding: "utf8",
    });
    assert.equal(stdout.trim(), "0", stderr);
  });
});
