// Slow: each layout of paths needs a Node-RED process of its own.
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { TESTED_VERSIONS } from "../support/node-red/node-red-versions";
import { END, tab, webhook } from "../support/node-red/flow-nodes";
import { ownNodeRed } from "../support/node-red/own-node-red";
import { waitFor } from "../support/wait-for";
import { inboundMessage } from "../support/http/webhook-events";

const SECRET = "a-secret-only-for-tests";

const FLOW = [
  tab("Receive"),
  webhook("hook", "inbound", { credentials: { secret: SECRET } }),
  END,
  { id: "plain", type: "http in", z: "tab", url: "/plain", method: "post", wires: [["reply"]] },
  { id: "reply", type: "http response", z: "tab", wires: [] },
];

/** Settings of Node-RED, the paths that follow from them, and the headers that a caller needs. */
const LAYOUTS: readonly {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly admin: string;
  readonly root: string;
  readonly headers?: Readonly<Record<string, string>>;
}[] = [
  { name: "as installed, admin app and nodes at /", settings: {}, admin: "", root: "" },
  {
    name: "admin app elsewhere, nodes below a path",
    settings: { httpAdminRoot: "/admin", httpNodeRoot: "/api/" },
    admin: "/admin",
    root: "/api",
  },
  {
    name: "nodes behind a sign-in of Node-RED's own",
    settings: {
      httpNodeAuth: {
        user: "gate",
        // The word "open", by bcrypt.
        pass: "$2b$08$5sL9dQqZfKyz.ctb9N.27.wQiyowwKIM21F.VEjAJfsBnY2Q39oTa",
      },
    },
    admin: "",
    root: "",
    headers: { authorization: `Basic ${Buffer.from("gate:open").toString("base64")}` },
  },
];

for (const version of TESTED_VERSIONS) {
  for (const { name, settings, admin, root, headers = {} } of LAYOUTS) {
    describe(`webhook-in, Node-RED ${version}, ${name}`, () => {
      const own = ownNodeRed({ version, settings, adminRoot: admin });
      let origin: string;

      before(async () => {
        origin = new URL(own.nodeRed.url).origin;
        await own.nodeRed.deploy(FLOW);
      });

      const post = async (path: string, body: string | Buffer, more: Record<string, string> = {}) => {
        const response = await fetch(`${origin}${root}${path}`, {
          method: "POST",
          headers: { "content-type": "application/json;charset=UTF-8", ...headers, ...more },
          body: typeof body === "string" ? body : new Uint8Array(body),
        });
        const text = await response.text();
        return { status: response.status, type: response.headers.get("content-type") ?? "", text };
      };
      const hook = (body: string | Buffer, more?: Record<string, string>, secret = SECRET) =>
        post(`/messaging/hook?secret=${secret}`, body, more);

      it("accepts an event and leaves the bodies of other nodes to Node-RED", async () => {
        const event = inboundMessage({ content: "Grüße, 你好 🎉" });
        const answer = await waitFor("an open webhook", async () => {
          const given = await hook(JSON.stringify(event));
          return given.status !== 503 && given;
        });
        assert.equal(answer.status, 200);
        assert.match(answer.type, /^application\/json/);
        assert.deepEqual(JSON.parse(answer.text), { statusCode: 2000, statusMessage: "OK" });
        const [received] = await own.nodeRed.messages("hook", 0);
        assert.deepEqual(received?.msg.payload, event);
        const plain = await post("/plain", '{"a":1}');
        assert.deepEqual([plain.status, JSON.parse(plain.text)], [200, { a: 1 }]);
      });

      it("acknowledges JSON scalars, which a parser of Node-RED would refuse", async () => {
        for (const scalar of ['"text"', "42", "true", "null"]) {
          assert.equal((await hook(scalar)).status, 200, scalar);
        }
      });

      it("refuses wrong calls by itself, never with a page of Node-RED", async () => {
        await own.nodeRed.clearRecording();
        const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, " "));
        const refused: [string, number, Promise<{ status: number; type: string; text: string }>][] = [
          ["not JSON", 400, hook('{"content":')],
          [
            "larger than allowed",
            413,
            hook(JSON.stringify(inboundMessage({ content: "x".repeat(300 * 1024) }))),
          ],
          ["far too large", 413, hook(Buffer.alloc(6 * 1024 * 1024, " "))],
          ["a bomb", 415, hook(bomb, { "content-encoding": "gzip" })],
          ["a form", 415, hook("a=1", { "content-type": "application/x-www-form-urlencoded" })],
          ["a wrong secret", 401, hook("{}", {}, "wrong")],
        ];
        for (const [what, status, asked] of refused) {
          const answer = await asked;
          assert.equal(answer.status, status, what);
          assert.match(answer.type, /^application\/json/, what);
          assert.equal(typeof JSON.parse(answer.text).error, "string", what);
        }
        const { messages } = await own.nodeRed.recording();
        assert.deepEqual(
          messages.filter(({ from }) => from === "hook"),
          [],
        );
      });

      it("tests itself, and shows what stands in the way", async () => {
        const route = "/messaging-account/webhook-in/hook/self-test";
        const { checks } = (await own.nodeRed.request("POST", route, {})) as { checks: object[] };
        const signIn = Object.keys(headers).length > 0;
        const found = checks.map((check) => ({ ...check, ms: 0 }));
        assert.deepEqual(found, [
          {
            where: "local",
            url: `${origin}${root}/messaging/hook`,
            passed: !signIn,
            reason: signIn ? "node-red-auth" : "passed",
            httpStatus: signIn ? 401 : 200,
            detail: null,
            ms: 0,
          },
        ]);
      });
    });
  }
}
