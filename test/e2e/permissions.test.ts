// Slow: it starts a Node-RED process of its own.
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

/** Users and their permission, which is the scope of their token too. */
const USERS = { reader: "read", writer: "*", watcher: "flows.read" } as const;
type User = keyof typeof USERS;

const SECRET = "a-saved-secret-0123456789";
/** Credentials as a package saved them for which they were texts. */
const SAVED = { hook: { secret: SECRET, secondSecret: `second-${SECRET}` } };

const FLOWS: Flows = [
  tab("Receive"),
  simulated("account"),
  webhook("hook", "inbound", { account: "account", wires: [[], []] }),
  button("begin", "sender"),
  sender("sender", "messaging-sms-send", "account", {
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
            users: Object.entries(USERS).map(([username, permissions]) => ({
              username,
              password: PASSWORD,
              permissions: [permissions],
            })),
          },
        },
      },
      (userDir) => writeFile(join(userDir, "flows_cred.json"), JSON.stringify(SAVED)),
    );
    const tokens = new Map<User, string>();

    before(async () => {
      for (const [username, scope] of Object.entries(USERS) as [User, string][]) {
        const answer = await own.nodeRed.request("POST", "/auth/token", {
          client_id: "node-red-admin",
          grant_type: "password",
          scope,
          username,
          password: "open",
        });
        tokens.set(username, (answer as { access_token: string }).access_token);
      }
    });

    /** @param user null without a sign-in */
    async function call(
      user: User | null,
      method: "GET" | "POST" | "DELETE",
      path: string,
      body: unknown = {},
      more: Record<string, string> = {},
    ): Promise<{ readonly status: number; readonly text: string }> {
      const signIn = user === null ? {} : { authorization: `Bearer ${tokens.get(user)}` };
      const response = await fetch(own.nodeRed.url + path, {
        method,
        headers: { "content-type": "application/json", connection: "close", ...signIn, ...more },
        ...(method !== "GET" && { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    }
    const deployed = async (): Promise<Flows> => JSON.parse((await call("writer", "GET", "/flows")).text);

    it("shows texts of messages only to users who may write", async () => {
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
      assert.doesNotMatch(shown, /open-sesame/);
      assert.equal((await call("reader", "GET", `${path}/texts`)).status, 401);
      assert.match((await call("writer", "GET", `${path}/texts`)).text, /Your code is open-sesame/);
    });

    it("opens each route only to users with its permission, never to a foreign page", async () => {
      for (const { method, pattern, permission, status } of ADMIN_ROUTES) {
        const path = pathOf(pattern);
        const readOnly = permission.split(",").every((each) => each.endsWith(".read"));
        const statusFor = async (user: User | null, headers?: Record<string, string>) =>
          (await call(user, method, path, {}, headers)).status;
        const statuses = {
          nobody: await statusFor(null),
          watcher: await statusFor("watcher"),
          reader: await statusFor("reader"),
          writer: await statusFor("writer"),
          foreignPage: await statusFor("writer", { origin: "https://evil.example" }),
        };
        const wanted = {
          nobody: 401,
          watcher: permission === "flows.read" ? status : 401,
          reader: readOnly ? status : 401,
          writer: status,
          foreignPage: 403,
        };
        assert.deepEqual(statuses, wanted, `${method} ${path}`);
      }
    });

    it("shows the queue without numbers to watchers, the history only to readers", async () => {
      const folder = await temporaryFolder("permissions");
      await fillStore(folder, { account: "kept", node: "sender" });
      const kept = { ...simulated("kept"), keepMessages: "computer", storeFolder: folder };
      assert.equal((await call("writer", "POST", "/flows", [...(await deployed()), kept])).status, 204);
      const ask = (user: User, action: string, input: object) =>
        call(user, "POST", `/messaging-account/kept/${action}`, input);
      const queue = await waitFor("the account to run", async () => {
        const answer = await ask("watcher", "queue/look", { after: 0 });
        return answer.text.includes("not-running") ? null : answer;
      });
      assert.match(queue.text, /"waiting":12/);
      assert.doesNotMatch(queue.text, new RegExp(`Hello|order-|${Object.values(PEOPLE).join("|")}`));
      const search = { query: {}, after: null };
      assert.equal((await ask("watcher", "history/search", search)).status, 401);
      assert.match((await ask("reader", "history/search", search)).text, new RegExp(PEOPLE.waiting));
    });

    it("gives the secret of a webhook only to users who may write, by its own route", async () => {
      for (const user of ["reader", "writer"] as const) {
        const credentials = await call(user, "GET", "/credentials/messaging-webhook-in/hook");
        assert.equal(JSON.parse(credentials.text).has_secret, true);
        assert.equal(credentials.text.includes(SECRET), false);
        assert.equal((await call(user, "GET", "/flows")).text.includes(SECRET), false);
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
      const credentials = { secret: "__PWRD__", secondSecret: "" };
      const changed = (await deployed()).map((node) =>
        node.id === "hook" ? { ...node, name: "renamed", credentials } : node,
      );
      assert.equal((await call("writer", "POST", "/flows", changed)).status, 204);
      // 503 until the flows run again.
      await waitFor("the saved secret to be accepted", async () => (await event(SECRET)) === 200 || null);
      assert.equal(await event(`second-${SECRET}`), 401);
      assert.equal(await event("__PWRD__"), 401);
    });
  });
}
