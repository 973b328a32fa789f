import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ADMIN_ROUTES } from "../support/node-red/admin-routes";
import type { Flows } from "../support/node-red/admin-client";
import { button, sender, simulated, tab, webhook } from "../support/node-red/flow-nodes";
import { TESTED_VERSIONS } from "../support/node-red/node-red-versions";
import { ownNodeRed } from "../support/node-red/own-node-red";
import { temporaryFolder } from "../support/node-red/packed-package";
import { fillStore, PEOPLE } from "../support/store/fill-store";
import { waitFor } from "../support/wait-for";

/** The word "open", by bcrypt. */
const PASSWORD = "$2b$08$5sL9dQqZfKyz.ctb9N.27.wQiyowwKIM21F.VEjAJfsBnY2Q39oTa";

const SCOPES: Readonly<Record<string, string>> = { reader: "read", writer: "*", watcher: "flows.read" };

const SECRET = "a-saved-secret-0123456789";
/** Credentials as a package saved them for which they were texts. */
const SAVED = { hook: { secret: SECRET, secondSecret: `second-${SECRET}` } };

const FLOWS: Flows = [
  tab("Receive"),
  simulated("account"),
  webhook("hook", "inbound", { account: "account", wires: [[], []] }),
  button("begin", "sender"),
  sender("sender", "sms-send", "account", {
    wires: [[], [], [], []],
    recipientAddressList: "41790000000",
    recipientAddressListSource: "str",
    messageContent: "Your code is open-sesame",
    messageContentSource: "str",
  }),
];

/** Where a route of the list leads in the flows of this test. */
const pathOf = (pattern: string): string =>
  pattern.replace(":id", pattern.includes("webhook-in") ? "hook" : "account");

for (const version of TESTED_VERSIONS) {
  describe(`admin routes, Node-RED ${version}`, () => {
    const own = ownNodeRed(
      {
        version,
        flows: FLOWS,
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
      },
      (userDir) => writeFile(join(userDir, "flows_cred.json"), JSON.stringify(SAVED)),
    );

    async function bearer(username: string): Promise<Record<string, string>> {
      const answer = await own.nodeRed.request("POST", "/auth/token", {
        client_id: "node-red-admin",
        grant_type: "password",
        scope: SCOPES[username] ?? "",
        username,
        password: "open",
      });
      return { authorization: `Bearer ${(answer as { access_token: string }).access_token}` };
    }
    /** @param user null for nobody */
    async function call(
      user: string | null,
      method: "GET" | "POST" | "DELETE",
      path: string,
      body: unknown = {},
      more: Record<string, string> = {},
    ): Promise<{ readonly status: number; readonly text: string }> {
      const response = await fetch(own.nodeRed.url + path, {
        method,
        headers: { "content-type": "application/json", ...(user !== null && (await bearer(user))), ...more },
        ...(method !== "GET" && { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    }
    const deployed = async (): Promise<Flows> => JSON.parse((await call("writer", "GET", "/flows")).text);

    it("texts of messages are for those who may write; readers see that there is one", async () => {
      // The flows may still be starting.
      await waitFor("the inject node", async () => {
        const { status } = await call("writer", "POST", "/inject/begin");
        assert.ok(status === 200 || status === 404, String(status));
        return status === 200;
      });
      const path = "/messaging-account/account/simulator";
      const shown = await waitFor("the message", async () => {
        const { status, text } = await call("reader", "GET", path);
        return status === 200 && text.includes("transferId") && text;
      });
      assert.match(shown, /"text":null/);
      for (const user of ["reader", "writer"]) {
        for (const each of [path, "/messaging-account/activity"]) {
          assert.doesNotMatch((await call(user, "GET", each)).text, /open-sesame/);
        }
      }
      assert.deepEqual(await call("reader", "GET", `${path}/texts`), { status: 401, text: "" });
      const texts = await call("writer", "GET", `${path}/texts`);
      assert.equal(texts.status, 200);
      assert.match(texts.text, /"text":"Your code is open-sesame"/);
    });

    for (const { method, pattern, permission, status } of ADMIN_ROUTES) {
      const path = pathOf(pattern);
      it(`${method} ${path} is for those who have ${permission}`, async () => {
        const readOnly = permission.split(",").every((each) => each.endsWith(".read"));
        const forWatcher = permission === "flows.read" ? status : 401;
        const statusFor = async (user: string | null, headers?: Record<string, string>) =>
          (await call(user, method, path, {}, headers)).status;
        assert.equal(await statusFor(null), 401, "anybody");
        assert.equal(await statusFor("watcher"), forWatcher, "who may only see flows");
        assert.equal(await statusFor("reader"), readOnly ? status : 401, "who may only read");
        assert.equal(await statusFor("writer"), status, "who may write");
        const foreign = { origin: "https://evil.example" };
        assert.equal(await statusFor("writer", foreign), 403, "a page of another origin");
      });
    }

    it("shows the queue without numbers and texts to those who may see flows, and the history to nobody else", async () => {
      const folder = await temporaryFolder("permissions");
      await fillStore(folder, { account: "kept", node: "sender" });
      const kept = { ...simulated("kept"), keepMessages: "computer", storeFolder: folder };
      const { status } = await call("writer", "POST", "/flows", [...(await deployed()), kept]);
      assert.equal(status, 204);
      const ask = (user: string, action: string, input: object) =>
        call(user, "POST", `/messaging-account/kept/${action}`, input);
      const queue = await waitFor("the account to run", async () => {
        const answer = await ask("watcher", "queue/look", { after: 0 });
        return answer.text.includes("not-running") ? null : answer;
      });
      assert.equal(queue.status, 200);
      assert.match(queue.text, /"waiting":12/);
      for (const number of Object.values(PEOPLE)) {
        assert.equal(queue.text.includes(number), false);
      }
      assert.doesNotMatch(queue.text, /Hello|order-/);
      const search = { query: {}, after: null };
      const refused = { status: 401, text: "" };
      assert.deepEqual(await ask("watcher", "history/search", search), refused);
      const found = await ask("reader", "history/search", search);
      assert.equal(found.status, 200);
      assert.match(found.text, new RegExp(PEOPLE.waiting));
      assert.deepEqual(await ask("reader", "history/delete-number", { number: PEOPLE.delivered }), refused);
    });

    it("gives the secret of a webhook to nobody but those who may write, and only by its own route", async () => {
      for (const username of ["reader", "writer"]) {
        const credentials = await call(username, "GET", "/credentials/webhook-in/hook");
        assert.equal(JSON.parse(credentials.text).has_secret, true);
        assert.equal(credentials.text.includes(SECRET), false);
        assert.equal((await call(username, "GET", "/flows")).text.includes(SECRET), false);
      }
      const route = "/messaging-account/webhook-in/hook/secret";
      assert.equal((await call("reader", "POST", route)).text.includes(SECRET), false);
      const { text } = await call("writer", "POST", route);
      assert.deepEqual(JSON.parse(text), { secret: SECRET, stored: SECRET });
    });

    it("keeps a saved secret when its dialog deploys the stand-in of a password", async () => {
      const event = async (secret: string): Promise<number> =>
        (await call(null, "POST", `/messaging/hook?secret=${secret}`)).status;
      assert.equal(await event(SECRET), 200);
      const changed = (await deployed()).map((node) =>
        node.id === "hook"
          ? { ...node, name: "renamed", credentials: { secret: "__PWRD__", secondSecret: "" } }
          : node,
      );
      assert.equal((await call("writer", "POST", "/flows", changed)).status, 204);
      // 503 until the flows run again.
      await waitFor("the saved secret to be taken", async () => (await event(SECRET)) === 200 || null);
      assert.equal(await event(`second-${SECRET}`), 401);
      assert.equal(await event("__PWRD__"), 401);
    });
  });
}
