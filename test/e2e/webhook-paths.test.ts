import assert from "node:assert/strict";
import { exactRequest } from "../support/http/exact-request";
import { TESTED_VERSIONS } from "../support/node-red/node-red-versions";
import type { FlowNode } from "../support/node-red/admin-client";
import { END, tab, webhook } from "../support/node-red/flow-nodes";
import { ownNodeRed } from "../support/node-red/own-node-red";
import { waitFor } from "../support/wait-for";
import { inboundMessage } from "../support/http/webhook-events";

const SECRET = "a-secret-only-for-tests";

const hook = (id: string, path: string, more: object = {}): FlowNode =>
  webhook(id, "inbound", { path, credentials: { secret: SECRET }, ...more });
const httpIn = (id: string, method: string, url: string) => ({
  id,
  type: "http in",
  z: "tab",
  url,
  method,
  wires: [["reply"]],
});

/** Webhooks and *http in* nodes, some of which want the same path. */
const FLOW = [
  tab("Receive"),
  httpIn("page-before", "get", "/hooks/a"),
  hook("hook", "/hooks/a", { acknowledge: "flow", ackTimeout: 60 }),
  hook("hook-again", "/Hooks/A/"),
  httpIn("put-after", "put", "/hooks/a"),
  hook("letters", "/hooks/grüße an uns"),
  hook("editor", "/Admin/Flows"),
  hook("neighbour", "/PLAIN/"),
  httpIn("plain", "post", "/plain"),
  { id: "reply", type: "http response", z: "tab", wires: [] },
  END,
];

for (const version of TESTED_VERSIONS) {
  describe(`paths of webhook-in among others, Node-RED ${version}`, () => {
    const own = ownNodeRed({
      version,
      settings: { httpAdminRoot: "/admin", httpNodeCors: { origin: "*", methods: "GET,PUT,POST" } },
      adminRoot: "/admin",
    });
    let origin: string;

    before(async () => {
      origin = new URL(own.nodeRed.url).origin;
      // Flows start before the server listens.
      await waitFor("a server that listens", () =>
        exactRequest(origin, "/", { method: "GET" }).catch((error: NodeJS.ErrnoException) => {
          assert.equal(error.code, "ECONNREFUSED");
          return null;
        }),
      );
      await own.nodeRed.deploy(FLOW);
      await waitFor("open webhooks", async () => (await post("/hooks/a", null)).status === 200);
    });

    const post = (path: string, value: unknown) =>
      exactRequest(origin, `${path}?secret=${SECRET}`, { body: JSON.stringify(value) });

    it("leave other methods to http in nodes, with the bodies that these want", async () => {
      const page = await exactRequest(origin, "/hooks/a?x=1", { method: "GET" });
      assert.deepEqual([page.status, JSON.parse(page.text)], [200, { x: "1" }]);
      assert.equal((await exactRequest(origin, "/hooks/a", { method: "HEAD" })).status, 200);
      const put = await exactRequest(origin, "/hooks/a", { method: "PUT", body: '{"a":1}' });
      assert.deepEqual([put.status, JSON.parse(put.text)], [200, { a: 1 }]);
    });

    it("leave a browser's question before a call to httpNodeCors", async () => {
      const { status, headers } = await exactRequest(origin, "/hooks/a", {
        method: "OPTIONS",
        headers: { origin: "https://x.example", "access-control-request-method": "PUT" },
      });
      assert.deepEqual([status, headers["access-control-allow-origin"]], [204, "*"]);
    });

    it("answer 405 for methods that no node takes", async () => {
      for (const [method, path] of [
        ["DELETE", "/hooks/a"],
        ["GET", "/hooks/gr%C3%BC%C3%9Fe%20an%20uns"],
        ["PUT", "/hooks/gr%C3%BC%C3%9Fe%20an%20uns"],
      ] as const) {
        const { status, headers } = await exactRequest(origin, path, { method });
        assert.deepEqual([status, headers.allow], [405, "POST"], `${method} ${path}`);
      }
      assert.equal((await exactRequest(origin, "/hooks/none", { method: "GET" })).status, 404);
    });

    it("may hold letters and spaces, with the escapes that callers write", async () => {
      const spellings = [
        "/hooks/gr%C3%BC%C3%9Fe%20an%20uns",
        "/hooks/gr%c3%bc%c3%9fe%20an%20uns/",
        "/Hooks/gru%CC%88%C3%9Fe%20an%20uns",
      ];
      await own.nodeRed.clearRecording();
      for (const path of spellings) {
        assert.equal((await post(path, inboundMessage())).status, 200, path);
      }
      assert.equal((await own.nodeRed.messages("letters", 0)).length, spellings.length);
      for (const path of ["/hooks/gr%C3%BC%C3%9Fe+an+uns", "/hooks%2Fgr%C3%BC%C3%9Fe%20an%20uns"]) {
        assert.equal((await post(path, inboundMessage())).status, 404, path);
      }
    });

    it("test themselves under the address with escapes", async () => {
      const { checks } = (await own.nodeRed.request(
        "POST",
        "/messaging-account/webhook-in/letters/self-test",
        {},
      )) as { checks: { url: string; reason: string }[] };
      assert.deepEqual(
        checks.map(({ url, reason }) => [url, reason]),
        [[`${origin}/hooks/gr%C3%BC%C3%9Fe%20an%20uns`, "passed"]],
      );
    });

    it("say which of them belong to others, whatever their case", async () => {
      const log = own.nodeRed.logs();
      assert.match(log, /\/Admin\/Flows belongs to Node-RED's editor/);
      assert.match(log, /\/PLAIN belongs to another node/);
      assert.match(log, /\/Hooks\/A is already used by another webhook/);
      const plain = await exactRequest(origin, "/plain", { body: '{"a":1}' });
      assert.deepEqual([plain.status, JSON.parse(plain.text)], [200, { a: 1 }]);
    });

    it("acknowledge what is no event on receipt, though the flow would decide", async () => {
      await own.nodeRed.clearRecording();
      const text = `{"type":"new","deep":${"[".repeat(50)}${"]".repeat(50)}}`;
      for (const body of ['{"type":"new"}', text, '{"__proto__":{"polluted":1}}']) {
        const answer = await exactRequest(origin, `/hooks/a?secret=${SECRET}`, { body });
        assert.deepEqual([answer.status, JSON.parse(answer.text).statusCode], [200, 2000], body);
      }
      const received = await own.nodeRed.messages("hook", 1);
      assert.deepEqual(
        received.map(({ msg }) => [typeof msg.payload, msg.event.kind, msg.event.unparsed]),
        [
          ["object", "unrecognised", undefined],
          ["string", "unrecognised", "too-deep"],
          ["string", "unrecognised", "forbidden-key"],
        ],
      );
    });
  });
}
