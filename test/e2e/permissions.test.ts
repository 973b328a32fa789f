import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ADMIN_ROUTES } from "../support/node-red/admin-routes";
import { type NodeRed, startNodeRed } from "../support/node-red/node-red";
import { TESTED_VERSIONS } from "../support/node-red/node-red-versions";
import { temporaryFolder, userDirWithPackage } from "../support/node-red/packed-package";
import { requireNodeRed } from "../support/node-red/require-node-red";
import { fillStore, PEOPLE } from "../support/store/fill-store";
import { waitFor } from "../support/wait-for";

/** The word "open", by bcrypt. */
const PASSWORD = "$2b$08$5sL9dQqZfKyz.ctb9N.27.wQiyowwKIM21F.VEjAJfsBnY2Q39oTa";

const SCOPES: Readonly<Record<string, string>> = { reader: "read", writer: "*", watcher: "flows.read" };

const SECRET = "a-saved-secret-0123456789";
const HOOK = {
  id: "hook",
  type: "webhook-in",
  z: "tab",
  kind: "inbound",
  account: "account",
  wires: [[], []],
};
/** Credentials as a package saved them for which they were texts. */
const SAVED = { hook: { secret: SECRET, secondSecret: `second-${SECRET}` } };

/** Where a route of the list leads in the flows of this test. */
const pathOf = (pattern: string): string =>
  pattern.replace(":id", pattern.includes("webhook-in") ? "hook" : "account");

for (const version of TESTED_VERSIONS) {
  describe(`admin routes, Node-RED ${version}`, () => {
    let nodeRed: NodeRed;

    before(async function () {
      await requireNodeRed(this, version);
      const userDir = await userDirWithPackage();
      await writeFile(join(userDir, "flows_cred.json"), JSON.stringify(SAVED));
      nodeRed = await startNodeRed({
        version,
        userDir,
        flows: [
          { id: "tab", type: "tab", label: "Receive" },
          { id: "account", type: "messaging-account", service: "simulator", keepMessages: "memory" },
          HOOK,
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
            messageContent: "Your code is open-sesame",
            messageContentSource: "str",
          },
        ],
        settings: {
          adminAuth: {
            type: "credentials",
            users: [
              { username: "reader", password: PASSWORD, permissions: "read" },
              { username: "writer", password: PASSWORD, permissions: "*" },
              { username: "watcher", password: PASSWORD, permissions: ["flows.read"] },
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
        scope: SCOPES[username] ?? "",
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
      // The flows may still be starting.
      await waitFor("the inject node", async () => {
        const { status } = await fetch(`${nodeRed.url}/inject/begin`, {
          method: "POST",
          headers: await bearer("writer"),
        });
        assert.ok(status === 200 || status === 404, String(status));
        return status === 200;
      });
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
        assert.doesNotMatch(await look(path, user), /open-sesame/);
        assert.doesNotMatch(await look("/messaging-account/activity", user), /open-sesame/);
      }
      assert.equal(await look(`${path}/texts`, "reader"), "401 ");
      assert.match(await look(`${path}/texts`, "writer"), /^200 .*"text":"Your code is open-sesame"/);
    });

    for (const { method, pattern, permission, status } of ADMIN_ROUTES) {
      const path = pathOf(pattern);
      it(`${method} ${path} is for those who have ${permission}`, async () => {
        const readOnly = permission.split(",").every((each) => each.endsWith(".read"));
        const forWatcher = permission === "flows.read" ? status : 401;
        assert.equal(await call(method, path, {}), 401, "anybody");
        assert.equal(await call(method, path, await bearer("watcher")), forWatcher, "who may only see flows");
        const forReader = readOnly ? status : 401;
        assert.equal(await call(method, path, await bearer("reader")), forReader, "who may only read");
        const writer = await bearer("writer");
        assert.equal(await call(method, path, writer), status, "who may write");
        const foreign = { origin: "https://evil.example" };
        assert.equal(await call(method, path, { ...writer, ...foreign }), 403, "a page of another origin");
      });
    }

    it("shows the queue without numbers and texts to those who may see flows, and the history to nobody else", async () => {
      const folder = await temporaryFolder("permissions");
      await fillStore(folder, { account: "kept", node: "sender" });
      const headers = { "content-type": "application/json", ...(await bearer("writer")) };
      const flows = (await (await fetch(`${nodeRed.url}/flows`, { headers })).json()) as object[];
      const kept = { id: "kept", type: "messaging-account", service: "simulator", keepMessages: "computer" };
      const body = JSON.stringify([...flows, { ...kept, storeFolder: folder }]);
      assert.equal((await fetch(`${nodeRed.url}/flows`, { method: "POST", headers, body })).status, 204);
      const ask = async (user: string, action: string, input: object): Promise<string> => {
        const response = await fetch(`${nodeRed.url}/messaging-account/kept/${action}`, {
          method: "POST",
          headers: { "content-type": "application/json", ...(await bearer(user)) },
          body: JSON.stringify(input),
        });
        return `${response.status} ${await response.text()}`;
      };
      const queue = await waitFor("the account to run", async () => {
        const answer = await ask("watcher", "queue/look", { after: 0 });
        return answer.includes("not-running") ? null : answer;
      });
      assert.match(queue, /^200 .*"waiting":12/);
      for (const number of Object.values(PEOPLE)) {
        assert.equal(queue.includes(number), false);
      }
      assert.doesNotMatch(queue, /Hello|order-/);
      const search = { query: {}, after: null };
      assert.equal(await ask("watcher", "history/search", search), "401 ");
      assert.match(await ask("reader", "history/search", search), new RegExp(`^200 .*${PEOPLE.waiting}`));
      assert.equal(await ask("reader", "history/delete-number", { number: PEOPLE.delivered }), "401 ");
    });

    it("gives the secret of a webhook to nobody but those who may write, and only by its own route", async () => {
      const ask = async (method: string, path: string, username: string): Promise<string> => {
        const headers = { "content-type": "application/json", ...(await bearer(username)) };
        const body = method === "POST" ? { body: "{}" } : {};
        return (await fetch(nodeRed.url + path, { method, headers, ...body })).text();
      };
      const route = "/messaging-account/webhook-in/hook/secret";
      for (const username of ["reader", "writer"]) {
        const credentials = await ask("GET", "/credentials/webhook-in/hook", username);
        assert.equal(JSON.parse(credentials).has_secret, true);
        assert.equal(credentials.includes(SECRET), false);
        assert.equal((await ask("GET", "/flows", username)).includes(SECRET), false);
      }
      assert.equal((await ask("POST", route, "reader")).includes(SECRET), false);
      assert.deepEqual(JSON.parse(await ask("POST", route, "writer")), { secret: SECRET, stored: SECRET });
    });

    it("keeps a saved secret when its dialog deploys the stand-in of a password", async () => {
      const event = async (secret: string): Promise<number> =>
        call("POST", `/messaging/hook?secret=${secret}`, {});
      assert.equal(await event(SECRET), 200);
      const headers = { "content-type": "application/json", ...(await bearer("writer")) };
      const flows = (await (await fetch(`${nodeRed.url}/flows`, { headers })).json()) as { id: string }[];
      const changed = flows.map((node) =>
        node.id === "hook"
          ? { ...node, name: "renamed", credentials: { secret: "__PWRD__", secondSecret: "" } }
          : node,
      );
      const deployed = await fetch(`${nodeRed.url}/flows`, {
        method: "POST",
        headers,
        body: JSON.stringify(changed),
      });
      assert.equal(deployed.status, 204);
      // 503 until the flows run again.
      await waitFor("the saved secret to be taken", async () => (await event(SECRET)) === 200 || null);
      assert.equal(await event(`second-${SECRET}`), 401);
      assert.equal(await event("__PWRD__"), 401);
    });
  });
}
