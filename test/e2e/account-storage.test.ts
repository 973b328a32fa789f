import assert from "node:assert/strict";
import { join } from "node:path";
import { ACCOUNT_DEFAULTS } from "../../lib/shared/fields/account-defaults";
import { onEachNodeRed } from "../support/node-red/on-each-node-red";

const ACCOUNT = "stored";

onEachNodeRed("storage of an account", (bench) => {
  const ask = async (route: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await bench.nodeRed.request("POST", `/messaging-account/${ACCOUNT}/${route}`, body);
    return answer as Record<string, unknown>;
  };

  it("of a new account is in the user directory, and can be opened there", async () => {
    const place = join(bench.nodeRed.folder, "messaging");
    assert.deepEqual(await ask("storage", {}), { folder: place, sqlite: true });
    const { service, keepMessages, storeFolder, keepDays, snapshotLimit } = ACCOUNT_DEFAULTS;
    const config = { service, keepMessages, storeFolder, keepDays, snapshotLimit };
    const { lines } = await ask("test", { config, credentials: {} });
    const { check, state, about } = (lines as { check: string; state: string; about: string }[]).at(-1) ?? {};
    assert.deepEqual([check, state, about], ["storage", "ok", join(place, "messages.db")]);
  });
});
