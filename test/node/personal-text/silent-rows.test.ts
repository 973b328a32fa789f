import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import registerWait from "../../../nodes/message-wait/message-wait";
import registerWebhook from "../../../nodes/webhook-in/webhook-in";
import { useFolder } from "../../unit/store/use-folder";
import { ACCOUNT, type Config, PortLog, startFlow, stopFlow, stopServer } from "../flow";

/** Numbers whose people the simulator plays. */
const DELIVERED = "+999000001";

const ROWS = [
  { mobile: DELIVERED, name: "Anna" },
  { mobile: "+999030004", name: "Beat" },
  { mobile: "+999030004", name: "Carla, child of Beat" },
];

describe("silent people of a list of rows", () => {
  const folder = useFolder();
  afterEach(stopFlow);
  after(stopServer);

  for (const [kept, storage] of [
    ["in memory", (): Config => ({ keepMessages: "memory" })],
    ["in a store", (): Config => ({ keepMessages: "computer", storeFolder: folder() })],
  ] as const) {
    for (const rows of [ROWS, ROWS.slice(0, 2)]) {
      it(`leave as ${rows.length - 1} rows, for an account ${kept}`, async () => {
        const flow = await startFlow({
          account: storage(),
          sender: {
            braces: "fill",
            messageContent: "Dear {{name}}",
            messageContentSource: "str",
            recipientAddressList: "payload.people",
            recipientAddressListSource: "msg",
            wires: [["n-wait"], ["n-wait"], ["n-wait"], ["n-wait"]],
          },
          register: [registerWait, registerWebhook],
          more: [
            { id: "n-status", z: "tab", type: "webhook-in", kind: "status", account: ACCOUNT, wires: [] },
            {
              id: "n-wait",
              z: "tab",
              type: "message-wait",
              account: ACCOUNT,
              kind: "delivered",
              within: "6s",
              withinSource: "str",
              wires: [["happened"], ["failed"], ["silent"], []],
            },
            ...["happened", "failed", "silent"].map((id) => ({ id, z: "tab", type: "helper" })),
          ],
        });
        const logOf = (id: string): PortLog => {
          const log = new PortLog();
          flow.node(id).on("input", (msg: NodeMessage) => log.take(msg));
          return log;
        };
        const [happened, silent] = [logOf("happened"), logOf("silent")];
        const isSilent = ({ mobile }: { readonly mobile: string }): boolean => mobile !== DELIVERED;
        flow.send({ payload: { people: rows }, topic: "kept" });
        const [delivered] = await happened.until(1);
        assert.deepEqual(delivered?.payload, { people: rows[0] });
        const [message] = await silent.until(1);
        const { to, payload, topic } = message as unknown as Config;
        assert.deepEqual(
          [to].flat(),
          rows.filter(isSilent).map(({ mobile }) => mobile),
        );
        assert.deepEqual(payload, { people: rows.filter(isSilent) });
        assert.equal(topic, "kept");
      });
    }
  }
});
