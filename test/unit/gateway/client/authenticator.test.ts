import assert from "node:assert/strict";
import { inspect } from "node:util";
import { Authenticator } from "../../../../lib/gateway/client/authenticator";
import { OPERATIONS, type OperationId } from "../../../../lib/gateway/contract/operations";
import type { GatewaySettings } from "../../../../lib/gateway/contract/settings";
import type { Timing } from "../../../../lib/gateway/http/timing";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import {
  CLIENT_SECRET,
  PASSWORD,
  settingsFor,
  sms,
  UUID,
  whatsapp,
} from "../../../support/gateway/gateway-settings";
import { brief, isToken, type TestHandle, useGateway } from "../../../support/gateway/use-gateway";
import { answer, type FaultServer, type SeenRequest } from "../../../support/http/fault-server";
import { VirtualTiming } from "../../../support/virtual-timing";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const token = (name: string, expiresIn = 300): string =>
  answer(200, JSON.stringify({ access_token: name, token_type: "bearer", expires_in: expiresIn }));
const OK = answer(200, "statusCode=2000");
const CREATED = answer(201, `{"statusCode":2000,"transferId":"t-1"}`);
const sendsAt = ({ requests }: FaultServer): SeenRequest[] => requests.filter((request) => !isToken(request));
const proofsAt = (server: FaultServer): (string | undefined)[] =>
  sendsAt(server).map(({ headers }) => headers.authorization);
const tried = ({ outcome, attempts }: Verdict) => [outcome, attempts];

describe("gateway authentication", () => {
  const gateway = useGateway();

  /** A service whose tokens are numbered and whose other answers, counted from 1, a test decides. */
  function serve(
    reply: string | ((request: SeenRequest, count: number) => string),
    giveToken = (count: number): string => token(`tok-${count}`),
  ): Promise<FaultServer> {
    let tokens = 0;
    let others = 0;
    const other = (request: SeenRequest): string =>
      typeof reply === "string" ? reply : reply(request, ++others);
    return gateway.serve((socket, request) =>
      socket.write(isToken(request) ? giveToken(++tokens) : other(request)),
    );
  }

  const queueOf = (server: FaultServer, changed?: Partial<GatewaySettings>, timing?: Timing): TestHandle =>
    gateway.dispatch(server.url, changed, timing).queue;

  describe("legacy", () => {
    const legacyRequest = async (legacy: GatewaySettings["legacy"], message = sms()) => {
      const server = await serve(OK);
      await queueOf(server, { legacy }).submit(message);
      const { target, headers } = server.requests[0] ?? assert.fail();
      return { target, authorization: headers.authorization };
    };
    const target = "/rest/smsmessaging/simple";

    it("sends user name and password as Basic, in UTF-8", async () => {
      const request = await legacyRequest({ method: "basic", username: "alice", password: PASSWORD });
      assert.deepEqual(request, { target, authorization: `Basic ${base64(`alice:${PASSWORD}`)}` });
    });

    it("sends an access token in the header, or in the query and nowhere else", async () => {
      const accessToken = "a+b/c=&d%e#f";
      const inHeader = await legacyRequest({ method: "token-header", accessToken });
      assert.deepEqual(inHeader, { target, authorization: `Bearer ${accessToken}` });
      const inQuery = await legacyRequest({ method: "token-query", accessToken });
      assert.deepEqual(inQuery, {
        target: `${target}?access_token=a%2Bb%2Fc%3D%26d%25e%23f`,
        authorization: undefined,
      });
    });

    it("refuses an access token or a name that cannot travel", () => {
      const make = (changed: Partial<GatewaySettings>) => () =>
        new Authenticator(settingsFor("http://127.0.0.1", changed), null as never);
      for (const accessToken of ["a b", "a\nb", "ü", ""]) {
        for (const method of ["token-header", "token-query"] as const) {
          assert.throws(make({ legacy: { method, accessToken } }), { code: "BAD_CREDENTIALS" });
        }
      }
      const named = { method: "basic", username: "a:b", password: "c:d" } as const;
      assert.throws(make({ legacy: named }), {
        code: "BAD_CREDENTIALS",
        message: /user name contains a colon/,
      });
      assert.throws(make({ oauth: { clientId: "a:b", clientSecret: "c" } }), /client id contains a colon/);
      make({ legacy: { ...named, username: "a" } })();
    });

    it("refuses a line break in a user name, password, client id or client secret, and names the field", () => {
      const make = (changed: Partial<GatewaySettings>) => () =>
        new Authenticator(settingsFor("http://127.0.0.1", changed), null as never);
      const basic = { method: "basic", username: "anna", password: "secret" } as const;
      const client = { clientId: "anna", clientSecret: "secret" };
      for (const [changed, label] of [
        [{ legacy: { ...basic, username: "anna\r" } }, /^The user name of the account contains a line break/],
        [
          { legacy: { ...basic, password: "secret\r" } },
          /^The password of the account contains a line break/,
        ],
        [{ oauth: { ...client, clientId: "anna\n" } }, /^The client id of the account contains a line break/],
        [
          { oauth: { ...client, clientSecret: "secret\n" } },
          /^The client secret of the account contains a line/,
        ],
      ] as const) {
        assert.throws(make(changed), { code: "BAD_CREDENTIALS", message: label });
      }
    });
  });

  describe("OAuth", () => {
    it("requests a token as documented, at the token service's own address", async () => {
      const service = await serve(CREATED);
      const tokens = await serve(answer(404, ""));
      const queue = queueOf(service, { tokenAddress: tokens.url });
      assert.equal((await queue.submit(whatsapp())).outcome, "sent");
      const [asked] = tokens.requests;
      assert.deepEqual([asked?.method, asked?.target], ["POST", "/oauth/token"]);
      const { authorization, accept, "content-type": type } = asked?.headers ?? {};
      assert.equal(authorization, `Basic ${base64(`client-7:${CLIENT_SECRET}`)}`);
      assert.deepEqual([type, accept], ["application/x-www-form-urlencoded", "application/json"]);
      assert.equal(String(asked?.body), "grant_type=client_credentials&scope=messaging%3Awhatsapp");
      const [sent] = service.requests;
      assert.deepEqual([sent?.target, service.requests.length], ["/messaging/whatsapp/send_text", 1]);
      assert.equal(sent?.headers.authorization, "Bearer tok-1");
      assert.ok(!sent?.head.includes(base64(`client-7:${CLIENT_SECRET}`)));
    });

    const file = { file: { data: Buffer.from("x"), name: "a", type: "a/b" } };
    const toOne = { applicationId: UUID, recipient: "+41791234567" };
    const fields: Partial<Record<OperationId, Record<string, unknown>>> = {
      "whatsapp-text": { ...toOne, content: "x" },
      "whatsapp-media": { ...toOne, mediaId: UUID },
      "whatsapp-template": { ...toOne, templateName: "a", templateLocale: "de" },
      rcs: { ...toOne, rcsPayload: { RCSMessage: {}, messageContact: {} } },
      "media-upload": file,
      "media-download": { mediaId: UUID },
    };
    it("requests only the scope that the operation needs", async () => {
      for (const { id, scope } of Object.values(OPERATIONS).filter(({ auth }) => auth === "bearer")) {
        const server = await serve(answer(201, `{"statusCode":2000,"mediaId":"${UUID}"}`));
        const verdict = await queueOf(server).submit({ operation: id, fields: fields[id] ?? {} });
        assert.equal(verdict.outcome, "sent", id);
        const asked = new URLSearchParams(String(server.requests[0]?.body));
        assert.equal(asked.get("scope"), scope, id);
        assert.deepEqual(proofsAt(server), ["Bearer tok-1"]);
      }
    });

    it("replays once with a new token after a 401", async () => {
      for (const body of ["", `{"statusCode":4001,"statusMessage":"INVALID_APPLICATION"}`]) {
        const server = await serve((_request, count) => (count === 1 ? answer(401, body) : CREATED));
        assert.deepEqual(tried(await queueOf(server).submit(whatsapp())), ["sent", 2]);
        assert.deepEqual(proofsAt(server), ["Bearer tok-1", "Bearer tok-2"]);
        assert.equal(new Set(sendsAt(server).map(({ body: sent }) => String(sent))).size, 1);
      }
    });

    it("ends as denied after a second 401 and requests a new token for the next message", async () => {
      const server = await serve(answer(401, `{"statusCode":4001}`));
      const queue = queueOf(server);
      const verdict = await queue.submit(whatsapp());
      assert.deepEqual([...tried(verdict), verdict.httpStatus], ["denied", 2, 401]);
      assert.equal(server.requests.length, 4);
      await queue.submit(whatsapp());
      assert.equal(server.requests[4]?.target, "/oauth/token");
    });

    it("does not replay when the response refuses more than the token", async () => {
      for (const [status, body, outcome] of [
        [400, `{"statusCode":4001}`, "denied"],
        [401, `{"statusCode":5000}`, "unknown"],
        [401, `{"statusCode":2000}`, "unknown"],
        [401, `{"statusCode":4002}`, "rejected"],
        [401, `{"statusCode":4013}`, "retry-later"],
        [401, `{"statusCode":4001,"transferId":"t"}`, "unknown"],
      ] as const) {
        const server = await serve(answer(status, body));
        assert.deepEqual(tried(await queueOf(server).submit(whatsapp())), [outcome, 1], body);
        assert.equal(sendsAt(server).length, 1);
      }
    });

    it("does not replay a legacy message after a 401", async () => {
      const server = await serve(answer(401, "statusCode=4001"));
      assert.equal((await queueOf(server).submit(sms())).outcome, "denied");
      assert.equal(server.requests.length, 1);
    });

    it("sends nothing without a token", async () => {
      const server = await serve(CREATED, () => answer(400, `{"error":"invalid_scope"}`));
      const verdict = await queueOf(server).submit(whatsapp());
      assert.equal(brief(verdict), "denied TOKEN_REFUSED");
      assert.match(verdict.statusMessage, /invalid_scope/);
      assert.equal(server.requests.length, 1);
    });

    it("distinguishes a refused scope from a refused client", async () => {
      for (const [error, retry] of [
        ["invalid_scope", "sign-in"],
        ["invalid_client", "client"],
      ] as const) {
        const server = await serve(CREATED, () => answer(400, JSON.stringify({ error })));
        assert.equal((await queueOf(server).submit(whatsapp())).retry, retry);
      }
    });

    it("requests a token again after Resume, also directly after a refusal", async () => {
      let refuses = true;
      const server = await serve(CREATED, () => (refuses ? answer(401, "{}") : token("tok")));
      const { dispatcher, queue } = gateway.dispatch(server.url, {}, new VirtualTiming());
      assert.equal(brief(await queue.submit(whatsapp())), "denied TOKEN_REFUSED");
      refuses = false;
      assert.equal(brief(await queue.submit(whatsapp())), "denied TOKEN_REFUSED");
      dispatcher.forgetTokenRefusals();
      assert.equal(brief(await queue.submit(whatsapp())), "sent OK");
    });
  });

  describe("secrets", () => {
    const ACCESS = "acc&ss=T/k+n";
    const TOKEN = "tok/en+7==";

    /** A secret in every form in which a server could echo it. */
    function formsOf(secret: string, name?: string): string[] {
      const inQuery = new URLSearchParams({ a: secret }).toString().slice(2);
      const encoded = [secret, encodeURIComponent(secret), inQuery];
      const lower = encoded.map((text) => text.replace(/%../g, (code) => code.toLowerCase()));
      const bytes = [secret, ...(name === undefined ? [] : [`${name}:${secret}`])].map(base64);
      const bare = bytes.map((text) => text.replace(/=+$/, ""));
      return [...encoded, ...lower, ...bytes, ...bare, ...bytes.map(encodeURIComponent)];
    }

    // With lengths that are no multiple of 3, so that Base64 of a secret is no part of Base64 of the pair.
    const basic = { method: "basic", username: "bob", password: PASSWORD } as const;
    const oauth = { clientId: "client-77", clientSecret: CLIENT_SECRET };
    const shared = [...formsOf(CLIENT_SECRET, oauth.clientId), ...formsOf(TOKEN)];
    const accounts = [
      { legacy: basic, forms: [...formsOf(PASSWORD, basic.username), ...shared] },
      { legacy: { method: "token-query", accessToken: ACCESS }, forms: [...formsOf(ACCESS), ...shared] },
    ] as const;

    const hasNone = (verdict: Verdict, forms: readonly string[]): void => {
      const text = inspect(verdict, { depth: 10, maxStringLength: null, maxArrayLength: null });
      for (const form of forms) {
        assert.ok(!text.includes(form), `${form} stands in ${text}`);
      }
    };

    it("shows no secret in a verdict, wherever the service puts it", async () => {
      for (const { legacy, forms } of accounts) {
        const echo = forms.join(" | ");
        for (const statusCode of [2000, 4009, 4999]) {
          const words = { statusCode, statusMessage: echo, transferId: echo, clientMessageId: echo };
          const pairs = Object.entries(words).map(([name, value]) => [name, String(value)]);
          const inForm = answer(200, new URLSearchParams(pairs).toString());
          const inJson = answer(200, JSON.stringify({ ...words, attachmentId: echo }));
          const server = await serve(
            ({ target }) => (target.includes("simple") ? inForm : inJson),
            () => token(TOKEN),
          );
          const queue = queueOf(server, { legacy, oauth });
          const fields = { file: { data: Buffer.from("x"), name: "a", type: "a/b" } };
          // First the one that needs a token: only then is it known.
          const verdict = await queue.submit(whatsapp());
          hasNone(verdict, forms);
          assert.match(verdict.transferId ?? "", /•••/);
          hasNone(await queue.submit(sms()), forms);
          hasNone(await queue.submit({ operation: "attachment-create", fields }), forms);
        }
      }
    });

    it("shows no secret when the token service puts it into a refusal", async () => {
      for (const { legacy, forms } of accounts) {
        const echo = forms.join(" | ");
        const refusal = answer(401, JSON.stringify({ error: echo, error_description: echo }));
        const server = await serve(CREATED, (count) => (count === 1 ? token(TOKEN, 10) : refusal));
        const timing = new VirtualTiming();
        const queue = queueOf(server, { legacy, oauth }, timing);
        await queue.submit(whatsapp());
        await timing.advance(10_000);
        const verdict = await queue.submit(whatsapp());
        assert.equal(verdict.statusName, "TOKEN_REFUSED");
        hasNone(verdict, forms);
        assert.match(verdict.statusMessage, /\(HTTP 401\)$/);
      }
    });
  });
});
