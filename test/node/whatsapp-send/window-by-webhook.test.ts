import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { useFolder } from "../../unit/store/use-folder";
import { type Config, PortLog, resultOf } from "../flow";
import { startWebhookFlow, stopWebhookServer, type WebhookFlow } from "../webhook/webhook-flow";

/** Writes back once it got a template, which opens its session at the simulator. */
const PERSON = "999560001";

for (const keepMessages of ["computer", "memory"] as const) {
  describe(`whatsapp-send and a webhook-in of its account, which keeps messages ${keepMessages === "memory" ? "in memory" : "on this computer"}`, () => {
    // The simulator of an account outlasts its flow, with the sessions that are open there.
    const account = `n-account-${keepMessages}`;
    const folder = useFolder();
    let flow: WebhookFlow | null = null;
    afterEach(() => flow?.stop());
    after(stopWebhookServer);

    /** A sender for each choice, with the log of what leaves it. */
    async function start(): Promise<(choice: string) => Promise<string>> {
      const choices = ["send", "reject", "template"];
      const sender = (outsideWindow: string): Config => ({
        id: `n-${outsideWindow}`,
        z: "tab",
        type: "whatsapp-send",
        account,
        kind: "text",
        outsideWindow,
        outputs: 4,
        wires: Array(4).fill([`${outsideWindow}-sent`]),
        templateName: "welcome",
        templateNameSource: "str",
        templateLocale: "en_US",
        templateLocaleSource: "str",
      });
      const started = await startWebhookFlow({
        webhook: { account },
        credentials: {},
        more: [
          {
            id: account,
            type: "messaging-account",
            service: "simulator",
            keepMessages,
            storeFolder: folder(),
          },
          ...choices.flatMap((choice) => [
            sender(choice),
            { id: `${choice}-sent`, z: "tab", type: "helper" },
          ]),
        ],
      });
      flow = started;
      const logs = new Map(
        choices.map((choice) => {
          const log = new PortLog();
          started.node(`${choice}-sent`).on("input", (msg: NodeMessage) => log.take(msg));
          return [choice, log];
        }),
      );
      return async (choice) => {
        const log = logs.get(choice)!;
        const { length } = log.messages;
        started.node(`n-${choice}`).receive({ to: PERSON, payload: "Hello" } as never);
        const { operation, statusName, statusCode } = resultOf((await log.until(length + 1))[length]);
        return `${operation} ${statusName} ${statusCode}`;
      };
    }

    it("knows from the first message of a person on that the window is open", async () => {
      const send = await start();
      assert.equal(await send("send"), "whatsapp-text SESSION_EXPIRED 4400");
      assert.equal(await send("reject"), "whatsapp-text SESSION_EXPIRED null");
      assert.equal(await send("template"), "whatsapp-template OK 2000");
      await flow!.ports[0]!.until(1);
      for (const choice of ["send", "reject", "template"]) {
        assert.equal(await send(choice), "whatsapp-text OK 2000", choice);
      }
    });
  });
}
