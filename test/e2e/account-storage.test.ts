import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ACCOUNT_DEFAULTS } from "../../lib/shared/fields/account-defaults";
import type { Flows } from "../support/node-red/admin-client";
import { END, sender, tab, textTo } from "../support/node-red/flow-nodes";
import { onEachNodeRed } from "../support/node-red/on-each-node-red";
import { waitFor } from "../support/wait-for";

const ACCOUNT = "stored";

onEachNodeRed("storage of an account", (bench) => {
  const ask = async (route: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await bench.nodeRed.request("POST", `/messaging-account/${ACCOUNT}/${route}`, body);
    return answer as Record<string, unknown>;
  };

  it("of a new account is in the user directory, and can be opened there", async () => {
    const place = join(bench.nodeRed.folder, "messaging");
    assert.deepEqual(await ask("storage", {}), { folder: place, sqlite: true, waiting: 0 });
    const { service, keepMessages, storeFolder, keepDays, snapshotLimit } = ACCOUNT_DEFAULTS;
    const config = { service, keepMessages, storeFolder, keepDays, snapshotLimit };
    const { lines } = await ask("test", { config, credentials: {} });
    const { check, state, about } = (lines as { check: string; state: string; about: string }[]).at(-1) ?? {};
    assert.deepEqual([check, state, about], ["storage", "ok", join(place, "messages.db")]);
  });

  it("of a new account holds its messages, of one in memory none", async () => {
    const { nodeRed } = bench;
    // Others of this process may have made the file of the blank folder.
    const storeFolder = "storage-of-this-test";
    const file = join(nodeRed.folder, storeFolder, "messages.db");
    const flows = (account: object): Flows => [
      tab("storage"),
      { id: ACCOUNT, type: "messaging-account", name: "", ...account },
      textTo("one", "41790000001"),
      sender("send", "sms-send", ACCOUNT, { wires: [["end"], [], [], []] }),
      END,
    ];
    for (const [account, exists] of [
      [{ ...ACCOUNT_DEFAULTS, storeFolder, keepMessages: "memory" }, false],
      [{ ...ACCOUNT_DEFAULTS, storeFolder }, true],
    ] as const) {
      await nodeRed.deploy(flows(account));
      await nodeRed.clearRecording();
      await nodeRed.inject("one");
      await waitFor("an accepted message", async () =>
        (await nodeRed.recording()).messages.some(({ to }) => to === "end"),
      );
      assert.equal(existsSync(file), exists);
    }
  });
});
