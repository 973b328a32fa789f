// Slow: it installs the package and starts a Node-RED process of its own.
import assert from "node:assert/strict";
import type { Flows } from "../support/node-red/admin-client";
import { button, END, sender, simulated, tab } from "../support/node-red/flow-nodes";
import { TESTED_VERSIONS } from "../support/node-red/node-red-versions";
import { ownNodeRed } from "../support/node-red/own-node-red";
import { StatusWatch } from "../support/node-red/status-watch";

const ACCOUNT = "n-account";
/** The simulator answers messages to this number with 4031. */
const BLACKLISTED = "+999004031";

const SMS = {
  recipientAddressList: BLACKLISTED,
  recipientAddressListSource: "str",
  messageContent: "Hello",
  messageContentSource: "str",
} as const;

/** The output for rejected messages has no wire, so a Catch node gets the error. The webhook has a wrong setting. */
const FLOWS: Flows = [
  tab("Languages"),
  simulated(ACCOUNT),
  button("n-begin", "n-send"),
  sender("n-send", "messaging-sms-send", ACCOUNT, { ...SMS, wires: [[], [], [], []] }),
  { id: "n-catch", type: "catch", z: "tab", scope: ["n-send"], wires: [["end"]] },
  END,
  { id: "n-hook", type: "messaging-webhook-in", z: "tab", publicAddress: "ftp://host", wires: [[], []] },
];

for (const version of TESTED_VERSIONS) {
  describe(`texts in Node-RED ${version} with lang de-CH`, () => {
    const own = ownNodeRed({ version, flows: FLOWS, settings: { lang: "de-CH" } });
    let statuses: StatusWatch;

    before(async () => {
      statuses = await StatusWatch.open(own.nodeRed.url);
    });
    after(() => statuses?.close());

    it("shows badge, result and error of a rejected message in German", async () => {
      await own.nodeRed.inject("n-begin");
      const [caught] = await own.nodeRed.messages("n-catch", 0);
      const { result, error } = caught?.msg ?? {};
      assert.match(result.statusMessage, /^Alle Empfänger stehen auf der Sperrliste\./);
      assert.match(result.advice, /^Entfernen Sie diese Empfänger/);
      assert.match(error.message, /^Alle Empfänger stehen auf der Sperrliste\..* SMS abgelehnt: \w+ 4031\. /);
      await statuses.waitFor("n-send", ({ text }) => text === "SIMULIERT · 1 abgelehnt: auf der Sperrliste");
    });

    it("shows log line and badge of a wrong setting in German", async () => {
      assert.match(own.nodeRed.logs(), /Die öffentliche Adresse des Webhooks muss mit https:\/\/ .*beginnen/);
      await statuses.waitFor("n-hook", ({ text }) => text === "eine Einstellung ist falsch");
    });
  });
}
