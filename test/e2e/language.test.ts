import assert from "node:assert/strict";
import type { Flows } from "../support/node-red/admin-client";
import { type NodeRed, startNodeRed } from "../support/node-red/node-red";
import { NODE_RED_VERSIONS, nodeRedProgram, TESTED_VERSIONS } from "../support/node-red/node-red-versions";
import { userDirWithPackage } from "../support/node-red/packed-package";
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

/** Its rejected message leaves through no wire, so that a Catch node gets the error. The webhook has a wrong setting. */
const FLOWS: Flows = [
  { id: "tab", type: "tab", label: "Languages" },
  { id: ACCOUNT, type: "messaging-account", service: "simulator", keepMessages: "memory" },
  { id: "n-begin", type: "inject", z: "tab", props: [], wires: [["n-send"]] },
  { id: "n-send", type: "sms-send", z: "tab", account: ACCOUNT, outputs: 4, ...SMS, wires: [[], [], [], []] },
  { id: "n-catch", type: "catch", z: "tab", scope: ["n-send"], wires: [["n-end"]] },
  { id: "n-end", type: "debug", z: "tab", active: false, wires: [] },
  { id: "n-hook", type: "webhook-in", z: "tab", publicAddress: "ftp://host", wires: [[], []] },
];

/** What a user reads in one language. */
interface Texts {
  readonly badge: string;
  readonly statusMessage: string;
  readonly advice: string;
  readonly error: RegExp;
  readonly logLine: string;
  readonly hookBadge: string;
  readonly setUpFault: string;
}

const ENGLISH: Texts = {
  badge: "SIMULATED · 1 rejected: on the blacklist",
  statusMessage: "All recipients are on the blacklist.",
  advice: "Remove these recipients: they do not want such messages.",
  error: /^All recipients are on the blacklist\..* SMS rejected: \w+ 4031\. Remove these recipients/,
  logLine: "The public address of the webhook must begin with https:// (or http://)",
  hookBadge: "a setting is wrong",
  setUpFault: "The node is set to the message kind 'fax', but must be set to ",
};

const GERMAN: Texts = {
  badge: "SIMULIERT · 1 abgelehnt: auf der Sperrliste",
  statusMessage: "Alle Empfänger stehen auf der Sperrliste.",
  advice: "Entfernen Sie diese Empfänger: Sie wünschen solche Nachrichten nicht.",
  error:
    /^Alle Empfänger stehen auf der Sperrliste\..* SMS abgelehnt: \w+ 4031\. Entfernen Sie diese Empfänger/,
  logLine: "Die öffentliche Adresse des Webhooks muss mit https:// (oder http://) beginnen",
  hookBadge: "eine Einstellung ist falsch",
  setUpFault: "Im Node ist die Nachrichtenart 'fax' eingestellt; möglich ist nur ",
};

/** Setting `lang` of Node-RED, and what this package then speaks. Node-RED itself has Japanese, this package has not. */
const LANGUAGES: readonly (readonly [lang: string, texts: Texts])[] = [
  ["en-US", ENGLISH],
  ["de", GERMAN],
  ["de-CH", GERMAN],
  ["ja", ENGLISH],
];

/** Other spellings and languages need a Node-RED each; the version makes no difference to them. */
const ON_ALL: readonly string[] = ["en-US", "de"];
const OLDEST = NODE_RED_VERSIONS[0];

const assertStart = (text: unknown, start: string): void =>
  assert.equal(String(text).slice(0, start.length), start);

for (const version of TESTED_VERSIONS) {
  for (const [lang, texts] of LANGUAGES.filter(([each]) => version === OLDEST || ON_ALL.includes(each))) {
    describe(`texts in Node-RED ${version} with lang ${lang}`, () => {
      let nodeRed: NodeRed;
      let statuses: StatusWatch;

      before(async function () {
        const program = await nodeRedProgram(version);
        if (typeof program === "string") {
          console.log(`    skipped: ${program}`);
          this.skip();
        }
        const userDir = await userDirWithPackage();
        nodeRed = await startNodeRed({ version, userDir, flows: FLOWS, settings: { lang } });
        statuses = await StatusWatch.open(nodeRed.url);
      });
      after(async () => {
        statuses?.close();
        await nodeRed?.stop();
      });

      const sendTest = (type: string, config: object): Promise<unknown> =>
        nodeRed.request("POST", `/messaging-account/${ACCOUNT}/send-test`, {
          type,
          node: "n-send",
          config,
          to: BLACKLISTED,
          confirmed: true,
        });

      it("are in that language: badge, result and error of a rejected message", async () => {
        await nodeRed.inject("n-begin");
        const [caught] = await nodeRed.messages("n-catch", 0);
        const { result, error } = caught?.msg ?? {};
        assertStart(result.statusMessage, texts.statusMessage);
        assertStart(result.advice, texts.advice);
        assert.match(error.message, texts.error);
        await statuses.waitFor("n-send", ({ text }) => text === texts.badge);
      });

      it("are in that language: log line and badge of a node that starts with a wrong setting", async () => {
        assert.ok(nodeRed.logs().includes(texts.logLine), nodeRed.logs());
        await statuses.waitFor("n-hook", ({ text }) => text === texts.hookBadge);
      });

      it("are in that language: the answers to Send a test", async () => {
        const sent = (await sendTest("sms-send", SMS)) as { result: Record<string, unknown> };
        assertStart(sent.result.statusMessage, texts.statusMessage);
        assertStart(sent.result.advice, texts.advice);
        const refused = (await sendTest("whatsapp-send", { kind: "fax" })) as { message: string };
        assertStart(refused.message, texts.setUpFault);
      });
    });
  }
}
