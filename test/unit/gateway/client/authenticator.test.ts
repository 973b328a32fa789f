import assert from "node:assert/strict";
import { inspect } from "node:util";
import { Authenticator } from "../../../../lib/gateway/client/authenticator";
import { Dispatcher, type QueueHandle } from "../../../../lib/gateway/queue/dispatcher";
import { OPERATIONS, type OperationId } from "../../../../lib/gateway/contract/operations";
import type { GatewaySettings } from "../../../../lib/gateway/contract/settings";
import type { Timing } from "../../../../lib/gateway/http/timing";
import { answer, type FaultPlan, FaultServer, type SeenRequest } from "../../../support/http/fault-server";
import { VirtualTiming } from "../../../support/virtual-timing";
import {
  UUID,
  CLIENT_SECRET,
  PASSWORD,
  settingsFor,
  sms,
  whatsapp,
} from "../../../support/gateway/gateway-settings";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const token = (name: string, expiresIn = 300): string =>
  answer(200, JSON.stringify({ access_token: name, token_type: "bearer", expires_in: expiresIn }));
const CREATED = answer(201, `{"statusCode":2000,"transferId":"t-1"}`);
const isToken = ({ target }: SeenRequest): boolean => target === "/oauth/token";

describe("gateway authentication", () => {
  const closers: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) {
      await close();
    }
  });

  /** A service whose tokens are numbered and whose other answers a test decides. */
  async function serve(
    reply: (request: SeenRequest, count: number) => string,
    giveToken: (count: number) => string = (count) => token(`tok-${count}`),
  ): Promise<FaultServer> {
    let tokens = 0;
    let others = 0;
    const plan: FaultPlan = {
      onRequest: (request, socket) =>
        void socket.write(isToken(request) ? giveToken(++tokens) : reply(request, ++others)),
    };
    const server = await FaultServer.start(plan);
    closers.push(() => server.close());
    return server;
  }

  function queueOf(address: string, changed: Partial<GatewaySettings> = {}, timing?: Timing): QueueHandle {
    const dispatcher = new Dispatcher(settingsFor(address, changed), timing);
    closers.push(() => dispatcher.close(0));
    return dispatcher.openHandle();
  }

  describe("legacy", () => {
    const legacyHeader = async (legacy: GatewaySettings["legacy"]): Promise<SeenRequest> => {
      const server = await serve(() => answer(200, "statusCode=2000"));
      await queueOf(server.url, { legacy }).submit(sms());
      return server.requests[0] as SeenRequest;
    };

    it("sends user name and password as Basic, in UTF-8", async () => {
      const { headers, target } = await legacyHeader({
        kind: "basic",
        username: "alice",
        password: PASSWORD,
      });
      assert.equal(headers.authorization, `Basic ${base64(`alice:${PASSWORD}`)}`);
      assert.equal(target, "/rest/smsmessaging/simple");
    });

    it("sends an access token in the header, or in the query and nowhere else", async () => {
      const accessToken = "a+b/c=&d%e#f";
      const inHeader = await legacyHeader({ kind: "token-header", accessToken });
      assert.equal(inHeader.headers.authorization, `Bearer ${accessToken}`);
      assert.ok(!inHeader.target.includes("token"));
      const inQuery = await legacyHeader({ kind: "token-query", accessToken });
      assert.equal(inQuery.target, "/rest/smsmessaging/simple?access_token=a%2Bb%2Fc%3D%26d%25e%23f");
      assert.equal(inQuery.headers.authorization, undefined);
    });

    it("adds it to the query that a message has itself", async () => {
      const server = await serve(() => answer(200, "statusCode=2000"));
      const legacy = { kind: "token-query", accessToken: "abcd" } as const;
      await queueOf(server.url, { legacy }).submit({ ...sms("ü"), operation: "sms-get" });
      assert.equal(
        server.requests[0]?.target,
        "/rest/smsmessaging/simple?recipientAddressList=41791234567&messageContent=%FC&access_token=abcd",
      );
    });

    it("refuses an access token or a name that cannot travel", () => {
      const make = (changed: Partial<GatewaySettings>) => () =>
        new Authenticator(settingsFor("http://127.0.0.1", changed), null as never);
      for (const accessToken of ["a b", "a\nb", "ü", ""]) {
        for (const kind of ["token-header", "token-query"] as const) {
          assert.throws(make({ legacy: { kind, accessToken } }), { code: "BAD_CREDENTIALS" });
        }
      }
      const named = { kind: "basic", username: "a:b", password: "c:d" } as const;
      assert.throws(make({ legacy: named }), { code: "BAD_CREDENTIALS", message: /user name holds a colon/ });
      assert.throws(make({ oauth: { clientId: "a:b", clientSecret: "c" } }), /client id holds a colon/);
      make({ legacy: { ...named, username: "a" } })();
    });

    it("names what the account lacks", () => {
      const authoriser = new Authenticator({ legacy: null, oauth: null }, null as never);
      for (const { id, auth } of Object.values(OPERATIONS)) {
        const words = auth === "legacy" ? /user name and password/ : /client id and client secret/;
        assert.throws(() => authoriser.require(OPERATIONS[id]), { code: "NO_CREDENTIALS", message: words });
      }
    });
  });

  describe("OAuth", () => {
    it("asks for a token as the contract says, at the token service's own address", async () => {
      const service = await serve(() => CREATED);
      const tokens = await serve(() => answer(404, ""), undefined);
      const queue = queueOf(service.url, { tokenAddress: tokens.url });
      assert.equal((await queue.submit(whatsapp())).outcome, "sent");
      const [asked] = tokens.requests;
      assert.deepEqual([asked?.method, asked?.target], ["POST", "/oauth/token"]);
      assert.equal(asked?.headers.authorization, `Basic ${base64(`client-7:${CLIENT_SECRET}`)}`);
      assert.equal(asked?.headers["content-type"], "application/x-www-form-urlencoded");
      assert.equal(asked?.headers.accept, "application/json");
      assert.equal(String(asked?.body), "grant_type=client_credentials&scope=messaging%3Awhatsapp");
      const [sent] = service.requests;
      assert.equal(sent?.headers.authorization, "Bearer tok-1");
      assert.deepEqual([sent?.target, service.requests.length], ["/messaging/whatsapp/send_text", 1]);
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
    for (const { id, scope, auth } of Object.values(OPERATIONS).filter(({ auth }) => auth === "bearer")) {
      it(`asks with only the scope that ${id} needs`, async () => {
        assert.equal(auth, "bearer");
        const server = await serve(() => answer(201, `{"statusCode":2000,"mediaId":"${UUID}"}`));
        const verdict = await queueOf(server.url).submit({ operation: id, fields: fields[id] ?? {} });
        assert.equal(verdict.outcome, "sent");
        const asked = new URLSearchParams(String(server.requests[0]?.body));
        assert.equal(asked.get("scope"), scope);
        assert.equal(server.requests[1]?.headers.authorization, "Bearer tok-1");
      });
    }

    it("asks for one token however many messages wait for it", async () => {
      const server = await serve(() => CREATED);
      const queue = queueOf(server.url, { connections: 50 });
      const all = await Promise.all(Array.from({ length: 100 }, (_, at) => queue.submit(whatsapp(`${at}`))));
      assert.ok(all.every(({ outcome }) => outcome === "sent"));
      assert.equal(server.requests.filter(isToken).length, 1);
    });

    it("replays once after a 401, with a new token", async () => {
      const server = await serve((_request, count) => (count === 1 ? answer(401, "") : CREATED));
      const verdict = await queueOf(server.url).submit(whatsapp());
      assert.deepEqual([verdict.outcome, verdict.attempts], ["sent", 2]);
      const sent = server.requests.filter((request) => !isToken(request));
      assert.deepEqual(
        sent.map(({ headers }) => headers.authorization),
        ["Bearer tok-1", "Bearer tok-2"],
      );
      assert.equal(new Set(sent.map(({ body }) => String(body))).size, 1);
    });

    it("replays once after a 401 that says 4001, with a new token", async () => {
      const server = await serve((_request, count) =>
        count === 1 ? answer(401, `{"statusCode":4001,"statusMessage":"INVALID_APPLICATION"}`) : CREATED,
      );
      const verdict = await queueOf(server.url).submit(whatsapp());
      assert.deepEqual([verdict.outcome, verdict.attempts], ["sent", 2]);
      assert.deepEqual(
        server.requests.filter((request) => !isToken(request)).map(({ headers }) => headers.authorization),
        ["Bearer tok-1", "Bearer tok-2"],
      );
    });

    it("does not replay after a 400 that says 4001", async () => {
      const server = await serve(() => answer(400, `{"statusCode":4001}`));
      const verdict = await queueOf(server.url).submit(whatsapp());
      assert.deepEqual([verdict.outcome, verdict.attempts], ["denied", 1]);
    });

    it("is denied by a second 401, and asks for a new token for the next message", async () => {
      const server = await serve(() => answer(401, `{"statusCode":4001}`));
      const queue = queueOf(server.url);
      const verdict = await queue.submit(whatsapp());
      assert.deepEqual([verdict.outcome, verdict.attempts, verdict.httpStatus], ["denied", 2, 401]);
      assert.equal(server.requests.length, 4);
      await queue.submit(whatsapp());
      assert.equal(server.requests[4]?.target, "/oauth/token");
    });

    for (const [what, body, outcome] of [
      ["5000", `{"statusCode":5000}`, "unknown"],
      ["2000", `{"statusCode":2000}`, "unknown"],
      ["4002", `{"statusCode":4002}`, "rejected"],
      ["4013", `{"statusCode":4013}`, "retry-later"],
      ["a transferId", `{"statusCode":4001,"transferId":"t"}`, "unknown"],
    ] as const) {
      it(`does not replay after a 401 that says ${what}`, async () => {
        const server = await serve(() => answer(401, body));
        assert.equal((await queueOf(server.url).submit(whatsapp())).outcome, outcome);
        assert.equal(server.requests.filter((request) => !isToken(request)).length, 1);
      });
    }

    it("does not replay a legacy message after a 401", async () => {
      const server = await serve(() => answer(401, "statusCode=4001"));
      assert.equal((await queueOf(server.url).submit(sms())).outcome, "denied");
      assert.equal(server.requests.length, 1);
    });

    for (const [what, second, expected] of [
      ["is not to be had", answer(503, ""), "retry-later TOKEN_UNAVAILABLE"],
      ["is refused", answer(401, ""), "denied TOKEN_REFUSED"],
    ] as const) {
      it(`was not sent where the token for the replay ${what}`, async () => {
        const server = await serve(
          () => answer(401, ""),
          (count) => (count === 1 ? token("tok-1") : second),
        );
        const verdict = await queueOf(server.url, { attempts: 1 }).submit(whatsapp());
        assert.equal(`${verdict.outcome} ${verdict.statusName}`, expected);
      });
    }

    it("sends nothing without a token", async () => {
      const server = await serve(
        () => CREATED,
        () => answer(400, `{"error":"invalid_scope"}`),
      );
      const verdict = await queueOf(server.url).submit(whatsapp());
      assert.equal(`${verdict.outcome} ${verdict.statusName}`, "denied TOKEN_REFUSED");
      assert.match(verdict.statusMessage, /invalid_scope/);
      assert.equal(server.requests.length, 1);
    });

    it("renews a token that has become too old", async () => {
      const server = await serve(
        () => CREATED,
        (count) => token(`tok-${count}`, 10),
      );
      const timing = new VirtualTiming();
      const queue = queueOf(server.url, {}, timing);
      await queue.submit(whatsapp());
      await timing.advance(10_000);
      await queue.submit(whatsapp());
      const used = server.requests.filter((request) => !isToken(request)).map(({ headers }) => headers);
      assert.deepEqual(
        used.map(({ authorization }) => authorization),
        ["Bearer tok-1", "Bearer tok-2"],
      );
    });
  });

  describe("secrets", () => {
    const ACCESS = "acc&ss=T/k+n";
    const TOKEN = "tok/en+7==";

    /** A secret in every form in which a server could echo it. */
    function formsOf(name: string | null, secret: string): string[] {
      const encoded = [
        secret,
        encodeURIComponent(secret),
        new URLSearchParams({ a: secret }).toString().slice(2),
      ];
      const bytes = [secret, ...(name === null ? [] : [`${name}:${secret}`])].map(base64);
      const bare = bytes.map((text) => text.replace(/=+$/, ""));
      const inUrl = bytes.map((text) => encodeURIComponent(text));
      const lower = encoded.map((text) => text.replace(/%../g, (code) => code.toLowerCase()));
      return [...encoded, ...lower, ...bytes, ...bare, ...inUrl];
    }

    const accounts = [
      {
        what: "user name and password",
        changed: {},
        forms: [
          ...formsOf("alice", PASSWORD),
          ...formsOf("client-7", CLIENT_SECRET),
          ...formsOf(null, TOKEN),
        ],
      },
      {
        what: "access token in the query",
        changed: { legacy: { kind: "token-query", accessToken: ACCESS } },
        forms: [...formsOf(null, ACCESS), ...formsOf("client-7", CLIENT_SECRET), ...formsOf(null, TOKEN)],
      },
    ] as const;

    for (const { what, changed, forms } of accounts) {
      const echo = forms.join(" | ");
      const clean = (result: unknown): void => {
        const text = inspect(result, { depth: 10, maxStringLength: null, maxArrayLength: null });
        for (const form of forms) {
          assert.ok(!text.includes(form), `${form} stands in ${text}`);
        }
        assert.ok(text.includes("•••"), text);
      };

      it(`of an account with ${what} come back in no verdict, wherever the service puts them`, async () => {
        for (const statusCode of [2000, 4009, 4999, 5000]) {
          const words = { statusCode, statusMessage: echo, transferId: echo, clientMessageId: echo };
          const pairs = Object.entries(words).map(([name, value]) => [name, String(value)]);
          const server = await serve(
            ({ target }) =>
              target.includes("simple")
                ? answer(200, new URLSearchParams(pairs).toString())
                : answer(200, JSON.stringify({ ...words, attachmentId: echo, mediaId: echo })),
            () => token(TOKEN),
          );
          const queue = queueOf(server.url, changed);
          const file = { file: { data: Buffer.from("x"), name: "a", type: "a/b" } };
          // First the one that needs a token: only then is it known.
          clean(await queue.submit(whatsapp()));
          clean(await queue.submit(sms()));
          clean(await queue.submit({ operation: "attachment-create", fields: file }));
          clean(await queue.submit({ operation: "media-upload", fields: file }));
        }
      });

      it(`of an account with ${what} come back in no verdict from the token service`, async () => {
        const server = await serve(
          () => CREATED,
          (count) =>
            count === 1
              ? token(TOKEN, 10)
              : answer(401, JSON.stringify({ error: echo, error_description: echo })),
        );
        const timing = new VirtualTiming();
        const queue = queueOf(server.url, changed, timing);
        await queue.submit(whatsapp());
        await timing.advance(10_000);
        const verdict = await queue.submit(whatsapp());
        assert.equal(verdict.statusName, "TOKEN_REFUSED");
        clean(verdict);
      });
    }

    it("stand in no prepared request, and in no error", async () => {
      const server = await serve(() => CREATED);
      const queue = queueOf(server.url);
      assert.throws(
        () => queue.submit({ operation: "sms-form", fields: {} }),
        (error: Error) =>
          !inspect(error).includes(PASSWORD) && !inspect(error).includes(base64(`alice:${PASSWORD}`)),
      );
    });
  });
});
