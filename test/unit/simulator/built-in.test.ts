import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { type BuiltInAccount, BuiltInSimulator } from "../../../simulator/built-in";
import { CREDENTIALS } from "../../../simulator/sign-in/credentials";
import { pluck, until, useWebhookServer } from "../../support/simulator";
import {
  basic,
  CLIENT_BASIC,
  LEGACY_BASIC,
  ServiceClient,
  SMS_FORM,
} from "../../support/simulator/service-client";

const REFUSED = "callback-not-allowed";

/** Status code for a message by SMS, from somebody who took hold of the account. */
async function send({ url, credentials: { username, password } }: BuiltInAccount, fields = {}) {
  const authorization = basic(username, password);
  return (await new ServiceClient(url).sms(undefined, fields, { authorization })).code;
}

/** Resolves once nobody listens at the address any more. */
async function gone({ url }: BuiltInAccount): Promise<void> {
  const client = new ServiceClient(url);
  while (await client.request("").catch(() => null));
}

/** Lets go of accounts and waits until their simulators have closed. */
async function end(...accounts: readonly BuiltInAccount[]): Promise<void> {
  for (const account of accounts) account.release();
  for (const account of accounts) await gone(account);
}

describe("simulator: built in", () => {
  const builtInAfter = (linger: number) => new BuiltInSimulator(() => ({}), linger);

  it("serves all accounts separately on one server", async () => {
    const builtIn = builtInAfter(0);
    const [one, other] = await Promise.all([builtIn.acquire("one"), builtIn.acquire("other")]);
    assert.equal(new URL(one.url).origin, new URL(other.url).origin);
    assert.equal(one.authUrl, one.url);
    await send(one);
    assert.deepEqual([one.account.messages.length, other.account.messages.length], [1, 0]);
    one.release();
    one.release();
    assert.equal(await send(other), 2000);
    await end(other);
  });

  it("accepts only its own random credentials", async () => {
    const [one, other] = [await builtInAfter(0).acquire("one"), await builtInAfter(0).acquire("one")];
    for (const name of ["username", "password", "accessToken", "clientId", "clientSecret"] as const) {
      const values: string[] = [one.credentials[name], other.credentials[name], CREDENTIALS[name]];
      assert.equal(new Set(values).size, 3, name);
    }
    const { username, password, clientId, clientSecret, accessToken } = one.credentials;
    const client = new ServiceClient(one.url);
    const basicSend = (authorization: string) => client.sms(undefined, {}, { authorization });
    const query = (token: string) =>
      client.get(`${SMS_FORM}?recipientAddressList=41790000000&messageContent=x&access_token=${token}`);
    const ask = (authorization: string) =>
      client.askToken("grant_type=client_credentials&scope=media:read", authorization);
    const refused = [
      await basicSend(LEGACY_BASIC),
      await basicSend(basic(username, CREDENTIALS.password)),
      await basicSend(basic(other.credentials.username, password)),
      await query(CREDENTIALS.accessToken),
      await query(other.credentials.accessToken),
      await ask(CLIENT_BASIC),
      await ask(basic(clientId, CREDENTIALS.clientSecret)),
    ];
    assert.deepEqual(pluck(refused, "httpStatus"), Array(7).fill(401));
    assert.equal(one.account.messageCount, 0);
    assert.equal(await send(one), 2000);
    assert.equal((await query(accessToken)).code, 2000);
    assert.equal((await ask(basic(clientId, clientSecret))).httpStatus, 200);
    const shown = JSON.stringify(one.account.requests);
    for (const secret of [password, clientSecret, accessToken]) assert.ok(!shown.includes(secret));
    await end(one, other);
  });

  describe("with callbacks", () => {
    const [named, own] = [useWebhookServer(), useWebhookServer()];

    it("calls no address that a send names, but those that the account says", async () => {
      const builtIn = builtInAfter(0);
      const closed = await builtIn.acquire("closed");
      const open = await builtIn.acquire("open", (url) => url.href === own.url("/own"), { "x-caller": "me" });
      for (const held of [closed, open]) {
        for (const url of [named.url("/library/flows/x"), own.url("/own"), own.url("/own?more")]) {
          assert.equal(await send(held, { notificationCallbackUrl: url }), 2000);
        }
        await until(() => held.account.deliveryCount === 3 && held.account.pendingDeliveries === 0);
      }
      assert.deepEqual(pluck(closed.account.deliveries, "dropped"), Array(3).fill(REFUSED));
      assert.deepEqual(pluck(open.account.deliveries, "dropped"), [REFUSED, null, REFUSED]);
      assert.equal(open.account.deliveries[1]?.state, "acknowledged");
      assert.deepEqual([named.calls.length, pluck(own.calls, "path")], [0, ["/own"]]);
      assert.equal(own.calls[0]?.headers["x-caller"], "me");
      await end(closed, open);
    });
  });

  it("never keeps the process alive, held or released", () => {
    for (const release of ["", "one.release();"]) {
      const program = `
        require("./simulator/built-in").acquireBuiltIn("one").then(async (one) => {
          await fetch(one.url);
          ${release}
          process.stdout.write("ready");
        });`;
      const args = [...process.execArgv, "-e", program];
      const { stdout, status } = spawnSync(process.execPath, args, { timeout: 120_000 });
      assert.deepEqual([stdout.toString(), status], ["ready", 0]);
    }
  });
});
