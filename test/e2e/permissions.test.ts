import assert from "node:assert/strict";
import { type NodeRed, startNodeRed } from "../support/node-red";
import { NODE_RED_VERSIONS, nodeRedProgram } from "../support/node-red-versions";
import { userDirWithPackage } from "../support/packed-package";

/** The word "open", by bcrypt. */
const PASSWORD = "$2b$08$5sL9dQqZfKyz.ctb9N.27.wQiyowwKIM21F.VEjAJfsBnY2Q39oTa";

interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** What a request without any fields is answered once it is let in. */
  readonly status: number;
  /** Whoever may read flows is let in as well. */
  readonly toRead?: boolean;
}

/** All admin routes of this package. */
const ROUTES: readonly Route[] = [
  { method: "POST", path: "/messaging-account/webhook-in/hook/self-test", status: 200 },
  { method: "POST", path: "/messaging-account/account/test", status: 400 },
  { method: "POST", path: "/messaging-account/account/send-test", status: 400 },
  { method: "GET", path: "/messaging-account/activity", status: 200, toRead: true },
  { method: "DELETE", path: "/messaging-account/activity", status: 204 },
  { method: "GET", path: "/messaging-account/account/simulator", status: 200, toRead: true },
  ...["reply", "write", "status", "next-answer"].map(
    (play) =>
      ({ method: "POST", path: `/messaging-account/account/simulator/${play}`, status: 400 }) as const,
  ),
  { method: "POST", path: "/messaging-account/account/simulator/normal", status: 200 },
];

for (const version of NODE_RED_VERSIONS) {
  describe(`admin routes, Node-RED ${version}`, function () {
    this.timeout(60_000);
    let nodeRed: NodeRed;

    before(async function () {
      this.timeout(300_000);
      const program = await nodeRedProgram(version);
      if (typeof program === "string") {
        console.log(`    skipped: ${program}`);
        this.skip();
      }
      nodeRed = await startNodeRed({
        version,
        userDir: await userDirWithPackage(),
        flows: [
          { id: "tab", type: "tab", label: "Receive" },
          { id: "account", type: "messaging-account", service: "simulator" },
          { id: "hook", type: "webhook-in", z: "tab", kind: "inbound", account: "account", wires: [[], []] },
        ],
        settings: {
          adminAuth: {
            type: "credentials",
            users: [
              { username: "reader", password: PASSWORD, permissions: "read" },
              { username: "writer", password: PASSWORD, permissions: "*" },
            ],
          },
        },
      });
    });
    after(() => nodeRed?.stop());

    async function bearer(username: string): Promise<Record<string, string>> {
      const answer = await nodeRed.request("POST", "/auth/token", {
        client_id: "node-red-admin",
        grant_type: "password",
        scope: username === "reader" ? "read" : "*",
        username,
        password: "open",
      });
      return { authorization: `Bearer ${(answer as { access_token: string }).access_token}` };
    }
    const call = async (method: string, path: string, headers: Record<string, string>): Promise<number> => {
      const response = await fetch(nodeRed.url + path, {
        method,
        headers: { "content-type": "application/json", ...headers },
        ...(method === "GET" ? {} : { body: "{}" }),
      });
      await response.text();
      return response.status;
    };

    for (const { method, path, status, toRead = false } of ROUTES) {
      it(`${method} ${path} is for those who may ${toRead ? "read" : "deploy"}`, async () => {
        assert.equal(await call(method, path, {}), 401, "anybody");
        assert.equal(await call(method, path, await bearer("reader")), toRead ? status : 401, "who may read");
        assert.equal(await call(method, path, await bearer("writer")), status, "who may write");
      });
    }
  });
}
