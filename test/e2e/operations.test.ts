import assert from "node:assert/strict";
import { SAMPLE_MEDIA_ID } from "../../simulator/index";
import type { FlowNode, Flows } from "../support/node-red/admin-client";
import { onEachNodeRed } from "../support/node-red/on-each-node-red";
import { operations } from "../unit/contract/contract-fixture";

/**
 * Walks every operation of the contract: for each there is a node and a setting with which a real Node-RED makes
 * exactly that request, and the strict simulator takes it.
 */

const ACCOUNT = "all-operations";
const PNG = [137, 80, 78, 71, 13, 10, 26, 10];

/** The node that makes each request. The token comes by itself with whatever needs one. */
const NODES: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> = {
  "sms-form": { type: "sms-send", interface: "form" },
  "sms-get": { type: "sms-send", interface: "get" },
  "sms-json": { type: "sms-send", interface: "json" },
  "whatsapp-broadcast": { type: "whatsapp-send", kind: "broadcast" },
  "attachment-create": { type: "media-transfer", kind: "attachment" },
  "whatsapp-text": { type: "whatsapp-send", kind: "text" },
  "whatsapp-media": { type: "whatsapp-send", kind: "media" },
  "whatsapp-template": {
    type: "whatsapp-send",
    kind: "template",
    templateName: "order_ready",
    templateNameSource: "str",
    templateLocale: "de",
    templateLocaleSource: "str",
    localizableParams: [
      { value: "Ann", source: "str" },
      { value: "payload", source: "msg" },
    ],
    localizableParamsSource: "list",
  },
  rcs: { type: "rcs-send", kind: "text" },
  "media-upload": { type: "media-transfer", kind: "upload" },
  "media-download": { type: "media-transfer", kind: "download", mediaId: "mediaId", mediaIdSource: "msg" },
  token: null,
};

/** Carries a file where the operation takes one, a text elsewhere. */
function inject(id: string): FlowNode {
  const file = NODES[id]?.type === "media-transfer" && id !== "media-download";
  return {
    id: `inject-${id}`,
    type: "inject",
    z: "tab",
    props: [
      { p: "payload" },
      { p: "to", v: "+999555000001", vt: "str" },
      { p: "mediaId", v: SAMPLE_MEDIA_ID, vt: "str" },
    ],
    payload: file ? JSON.stringify(PNG) : "Hello",
    payloadType: file ? "bin" : "str",
    wires: [[id]],
  };
}

const ids = Object.keys(NODES).filter((id) => NODES[id] !== null);
const FLOWS: Flows = [
  { id: "tab", type: "tab", label: "operations" },
  { id: ACCOUNT, type: "messaging-account", name: "", service: "simulator", keepMessages: "memory" },
  ...ids.flatMap((id): FlowNode[] => [
    inject(id),
    {
      id,
      z: "tab",
      account: ACCOUNT,
      outputs: 4,
      wires: [["end"], ["end"], ["end"], ["end"]],
      ...NODES[id],
    } as unknown as FlowNode,
  ]),
  { id: "end", type: "debug", z: "tab", active: false, complete: "true", wires: [] },
];

onEachNodeRed("every operation of the contract", (bench) => {
  before(async () => {
    assert.deepEqual(Object.keys(NODES).sort(), operations.map(({ id }) => id).sort(), "none is left out");
    await bench.nodeRed.deploy(FLOWS);
  });

  for (const { id, method, path, scope } of operations) {
    it(`${method} ${path} (${id})`, async () => {
      if (id !== "token") {
        await bench.nodeRed.clearRecording();
        await bench.nodeRed.inject(`inject-${id}`);
        const [left] = await bench.nodeRed.messages(id, 0);
        assert.equal(left?.msg.result.operation, id);
        assert.equal(left?.msg.result.outcome, "sent");
      }
      const request = (await bench.simulator.requests(ACCOUNT)).findLast(({ operation }) => operation === id);
      assert.ok(request, "the simulator saw it");
      assert.equal(request.method, method);
      const template = path.replace(/^\{auth_url\}/, "").replace("{mediaId}", SAMPLE_MEDIA_ID);
      assert.equal(request.path.split("?")[0], template);
      if (scope !== null) {
        const tokens = (await bench.simulator.requests(ACCOUNT)).filter(
          ({ operation }) => operation === "token",
        );
        assert.ok(
          tokens.some(({ fields }) => String(fields.scope) === scope),
          "asked for a token with this scope and no other",
        );
      }
    });
  }
});
