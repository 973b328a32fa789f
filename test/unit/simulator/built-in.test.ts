import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  acquireBuiltIn,
  type BuiltInAccount,
  BuiltInSimulator,
  optionsFromEnvironment,
} from "../../../simulator/built-in";
import { CREDENTIALS } from "../../../simulator/sign-in/credentials";
import { type SimulatorOptions, startSimulator } from "../../../simulator/index";
import { askToken, basic, CLIENT_BASIC, LEGACY_BASIC, rawRequest, sendForm, until } from "./raw-request";
import { WebhookServer } from "./webhooks/webhook-server";

const REFUSED = "callback-not-allowed";
const GOOD = "recipientAddressList=41790000000&messageContent=Hello";

/** A message by SMS, from somebody who took hold of the account. */
function send({ url, credentials: { username, password } }: BuiltInAccount, more = "") {
  return sendForm(url, GOOD + more, { authorization: basic(username, password) });
}

/** Resolves once nobody listens at the address any more. */
async function gone(url: string): Promise<void> {
  for (;;) {
    try {
      await rawRequest(url);
    } catch {
      return;
    }
  }
}

describe("simulator: built in", () => {
  const port = "MESSAGING_SIMULATOR_PORT";
  const token = "MESSAGING_SIMULATOR_TOKEN";

  it("is one server for all, with the accounts apart", async () => {
    const builtIn = new BuiltInSimulator(() => ({}), 0);
    const [one, other] = await Promise.all([builtIn.acquire("one"), builtIn.acquire("other")]);
    assert.equal(new URL(one.url).origin, new URL(other.url).origin);
    assert.equal(one.authUrl, one.url);
    await send(one);
    assert.deepEqual([one.account.messages.length, other.account.messages.length], [1, 0]);
    one.release();
    one.release();
    assert.match((await send(other)).body, /^statusCode=2000&/);
    other.release();
    await gone(other.url);
  });

  it("lingers after the last release, and keeps its state when somebody comes back", async () => {
    const builtIn = new BuiltInSimulator(() => ({}), 20);
    const before = await builtIn.acquire("one");
    const witness = await new BuiltInSimulator(() => ({}), 20).acquire("one");
    await send(before);
    before.release();
    witness.release();
    const again = await builtIn.acquire("one");
    assert.equal(again.url, before.url);
    assert.equal(again.account.messages.length, 1);
    // A timer that was forgotten would have closed it by the time the witness is gone.
    await gone(witness.url);
    assert.match((await send(again)).body, /^statusCode=2000&/);
    again.release();
    await gone(again.url);
  });

  it("takes no credentials but random ones of its own", async () => {
    const [one, other] = await Promise.all(
      [0, 1].map(() => new BuiltInSimulator(() => ({}), 0).acquire("one")),
    );
    assert.ok(one && other);
    for (const name of ["username", "password", "accessToken", "clientId", "clientSecret"] as const) {
      const values: string[] = [one.credentials[name], other.credentials[name], CREDENTIALS[name]];
      assert.equal(new Set(values).size, 3, name);
    }
    const { username, password, clientId, clientSecret, accessToken } = one.credentials;
    const query = (token: string) =>
      rawRequest(`${one.url}/rest/smsmessaging/simple?${GOOD}&access_token=${token}`, { method: "GET" });
    const token = "grant_type=client_credentials&scope=media:read";
    const refused = [
      await sendForm(one.url, GOOD, { authorization: LEGACY_BASIC }),
      await sendForm(one.url, GOOD, { authorization: basic(username, CREDENTIALS.password) }),
      await sendForm(one.url, GOOD, { authorization: basic(other.credentials.username, password) }),
      await query(CREDENTIALS.accessToken),
      await query(other.credentials.accessToken),
      await askToken(one.url, token, CLIENT_BASIC),
      await askToken(one.url, token, basic(clientId, CREDENTIALS.clientSecret)),
    ];
    assert.deepEqual(
      refused.map(({ httpStatus }) => httpStatus),
      refused.map(() => 401),
    );
    assert.equal(one.account.messageCount, 0);
    assert.match((await send(one)).body, /^statusCode=2000&/);
    assert.match((await query(accessToken)).body, /^statusCode=2000&/);
    assert.equal((await askToken(one.url, token, basic(clientId, clientSecret))).httpStatus, 200);
    const shown = JSON.stringify(one.account.requests);
    for (const secret of [password, clientSecret, accessToken]) assert.ok(!shown.includes(secret));
    one.release();
    other.release();
    await Promise.all([gone(one.url), gone(other.url)]);
  });

  it("calls no address that a send names, but those that the account says", async () => {
    const [named, own] = await Promise.all([WebhookServer.start(), WebhookServer.start()]);
    const builtIn = new BuiltInSimulator(() => ({}), 0);
    const closed = await builtIn.acquire("closed");
    const open = await builtIn.acquire("open", (url) => url.href === own.url("/own"));
    const callback = (url: string) => `&notificationCallbackUrl=${encodeURIComponent(url)}`;
    for (const held of [closed, open]) {
      for (const url of [named.url("/library/flows/x"), own.url("/own"), own.url("/own?more")]) {
        assert.match((await send(held, callback(url))).body, /^statusCode=2000&/);
      }
      await until(() => held.account.deliveryCount === 3 && held.account.pendingDeliveries === 0);
    }
    assert.deepEqual(
      [closed, open].map(({ account }) => account.deliveries.map(({ state, dropped }) => dropped ?? state)),
      [Array(3).fill(REFUSED), [REFUSED, "acknowledged", REFUSED]],
    );
    assert.deepEqual([named.calls.length, own.calls.map(({ path }) => path)], [0, ["/own"]]);
    closed.release();
    open.release();
    await Promise.all([gone(open.url), named.close(), own.close()]);
  });

  it("starts anew after it was closed, on the same fixed port", async () => {
    const probe = await startSimulator();
    await probe.close();
    const builtIn = new BuiltInSimulator(() => ({ port: probe.port }), 0);
    const first = await builtIn.acquire("one");
    first.release();
    await gone(first.url);
    const second = await builtIn.acquire("one");
    assert.equal(second.url, first.url);
    assert.equal(second.account.messages.length, 0);
    second.release();
    await gone(second.url);
  });

  it("fails for everybody who waits, and can be tried again", async () => {
    const taken = await startSimulator();
    const options: SimulatorOptions[] = [{ port: taken.port }];
    const builtIn = new BuiltInSimulator(() => options.pop() ?? {}, 0);
    const both = await Promise.allSettled([builtIn.acquire("one"), builtIn.acquire("other")]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ["rejected", "rejected"],
    );
    const third = await builtIn.acquire("one");
    third.release();
    await gone(third.url);
    await taken.close();
  });

  it("gives back its hold when the account id is impossible", async () => {
    const builtIn = new BuiltInSimulator(() => ({}), 0);
    const good = await builtIn.acquire("one");
    await assert.rejects(builtIn.acquire("a/b"), TypeError);
    good.release();
    await gone(good.url);
  });

  it("never keeps the process alive, held or released", () => {
    for (const release of ["", "one.release();"]) {
      const program = `
        require("./simulator/built-in").acquireBuiltIn("one").then(async (one) => {
          await fetch(one.url);
          ${release}
          process.stdout.write("ready");
        });`;
      const args = ["--import", "tsx", "-e", program];
      const { stdout, status } = spawnSync(process.execPath, args, { timeout: 8000 });
      assert.deepEqual([stdout.toString(), status], ["ready", 0]);
    }
  });

  describe("environment", () => {
    afterEach(() => {
      delete process.env[port];
      delete process.env[token];
    });

    it("fixes port and control token", async () => {
      const probe = await startSimulator();
      await probe.close();
      process.env[port] = String(probe.port);
      process.env[token] = "fixed-control-token";
      const held = await acquireBuiltIn("one");
      assert.equal(new URL(held.url).port, String(probe.port));
      const headers = { "x-simulator-token": "fixed-control-token" };
      assert.equal(
        (await rawRequest(`${held.url}/_sim/messages`, { method: "GET", headers })).httpStatus,
        200,
      );
      held.release();
    });

    it("is checked", async () => {
      for (const wrong of ["x", "70000", "-1"]) {
        process.env[port] = wrong;
        const fresh = new BuiltInSimulator(optionsFromEnvironment, 0);
        await assert.rejects(fresh.acquire("one"), /MESSAGING_SIMULATOR_PORT/);
      }
    });
  });
});
