import assert from "node:assert/strict";
import { OPERATIONS } from "../../lib/gateway/contract/operations";
import { SAMPLE_MEDIA_ID } from "../../simulator/index";
import type { FlowNode, Flows } from "../support/node-red/admin-client";
import { END, sender, simulated, tab, TEMPLATE, textTo } from "../support/node-red/flow-nodes";
import { onEachNodeRed } from "../support/node-red/on-each-node-red";

const ACCOUNT = "all-operations";
const PNG = [137, 80, 78, 71, 13, 10, 26, 10];

/** The node that makes each request; other requests fetch the token. */
const NODES: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> = {
  "sms-form": { type: "messaging-sms-send", interface: "form" },
  "sms-get": { type: "messaging-sms-send", interface: "get" },
  "sms-json": { type: "messaging-sms-send", interface: "json" },
  "whatsapp-broadcast": { type: "messaging-whatsapp-send", kind: "broadcast" },
  "attachment-create": { type: "messaging-media-transfer", kind: "attachment" },
  "whatsapp-text": { type: "messaging-whatsapp-send", kind: "text" },
  "whatsapp-media": { type: "messaging-whatsapp-send", kind: "media" },
  "whatsapp-template": TEMPLATE,
  rcs: { type: "messaging-rcs-send", kind: "text" },
  "media-upload": { type: "messaging-media-transfer", kind: "upload" },
  "media-download": {
    type: "messaging-media-transfer",
    kind: "download",
    mediaId: "mediaId",
    mediaIdSource: "msg",
  },
  token: null,
};

/** Carries a file where the operation takes one, a text elsewhere. */
function inject(id: string): FlowNode {
  const file = NODES[id]?.type === "messaging-media-transfer" && id !== "media-download";
  return textTo(`inject-${id}`, "", {
    props: [
      { p: "payload" },
      { p: "to", v: "+999555000001", vt: "str" },
      { p: "mediaId", v: SAMPLE_MEDIA_ID, vt: "str" },
    ],
    payload: file ? JSON.stringify(PNG) : "Hello",
    payloadType: file ? "bin" : "str",
    wires: [[id]],
  });
}

const ids = Object.keys(NODES).filter((id) => NODES[id] !== null);
const FLOWS: Flows = [
  tab("operations"),
  simulated(ACCOUNT),
  ...ids.flatMap((id) => [inject(id), sender(id, "", ACCOUNT, NODES[id] ?? {})]),
  END,
];

onEachNodeRed("the installed package", (bench) => {
  it("makes each request of the contract with a node, and the strict simulator accepts it", async () => {
    assert.deepEqual(Object.keys(NODES).sort(), Object.keys(OPERATIONS).sort(), "each has a node");
    await bench.nodeRed.deploy(FLOWS);
    for (const id of ids) {
      await bench.nodeRed.inject(`inject-${id}`);
      const [emitted] = await bench.nodeRed.messages(id, 0);
      assert.deepEqual([emitted?.msg.result.operation, emitted?.msg.result.outcome], [id, "sent"]);
    }
    const requests = await bench.simulator.requests(ACCOUNT);
    assert.deepEqual(
      [...new Set(requests.map(({ operation }) => operation))].sort(),
      Object.keys(NODES).sort(),
    );
  });
});
