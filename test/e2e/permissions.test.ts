import assert from "node:assert/strict";
import { ADMIN_ROUTES } from "../support/admin-routes";
import { type NodeRed, startNodeRed } from "../support/node-red";
import { NODE_RED_VERSIONS, nodeRedProgram } from "../support/node-red-versions";
import { waitFor } from "../support/wait-for";
import { userDirWithPackage } from "../support/packed-package";

/** The word "open", by bcrypt. */
const PASSWORD = "$2b$08$5sL9dQqZfKyz.ctb9N.27.wQiyowwKIM21F.VEjAJfsBnY2Q39oTa";

/** Where a route of the list leads in the flows of this test. */
const pathOf = (pattern: string): string =>
  pattern.replace(":id", pattern.includes("webhook-in") ? "hook" : "account");

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
          { id: "begin", type: "inject", z: "tab", props: [], wires: [["sender"]] },
          {
            id: "sender",
            type: "sms-send",
            z: "tab",
            account: "account",
            outputs: 4,
            wires: [[], [], [], []],
            recipientAddressList: "41790000000",
            recipientAddressListSource: "str",
            messageContent: "Your code is 4711",
            messageContentSource: "str",
          },
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
        ...(method !== "GET" && { body: "{}" }),
      });
      await response.text();
      return response.status;
    };

    it("texts of messages are for those who may write; readers see that there is one", async () => {
      const { status } = await fetch(`${nodeRed.url}/inject/begin`, {
        method: "POST",
        headers: await bearer("writer"),
      });
      assert.equal(status, 200);
      const look = async (path: string, user: string): Promise<string> => {
        const response = await fetch(nodeRed.url + path, { headers: await bearer(user) });
        return `${response.status} ${await response.text()}`;
      };
      const path = "/messaging-account/account/simulator";
      const shown = await waitFor("the message", async () => {
        const answer = await look(path, "reader");
        return answer.includes("transferId") && answer;
      });
      assert.match(shown, /^200 .*"text":null/);
      for (const user of ["reader", "writer"]) {
        assert.doesNotMatch(await look(path, user), /4711/);
        assert.doesNotMatch(await look("/messaging-account/activity", user), /4711/);
      }
      assert.equal(await look(`${path}/texts`, "reader"), "401 ");
      assert.match(await look(`${path}/texts`, "writer"), /^200 .*"text":"Your code is 4711"/);
    });

    for (const { method, pattern, permission, status } of ADMIN_ROUTES) {
      const path = pathOf(pattern);
      it(`${method} ${path} is for those who have ${permission}`, async () => {
        const forReader = permission === "flows.read" ? status : 401;
        assert.equal(await call(method, path, {}), 401, "anybody");
        assert.equal(await call(method, path, await bearer("reader")), forReader, "who may only read");
        assert.equal(await call(method, path, await bearer("writer")), status, "who may write");
      });
    }
  });
}
