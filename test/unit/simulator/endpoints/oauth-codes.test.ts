import assert from "node:assert/strict";
import { OAUTH_CODES } from "../../../../simulator/endpoints/codes";
import { type Simulator, SAMPLE_MEDIA_ID, startSimulator } from "../../../../simulator/index";
import { bearer, LEGACY_BASIC, postJson, rawRequest } from "../raw-request";

const COMMON = [2000, 4001, 4002, 4008, 4013, 4014, 4023, 4028, 4029, 4031, 5000, 5003];
const HTTP: Readonly<Record<number, number>> = { 2000: 201, 4034: 404, 5000: 500, 5003: 503 };

interface Sender {
  readonly path: string;
  readonly scope: string;
  readonly codes: readonly number[];
  readonly fields: object;
}

const SENDERS: Readonly<Record<string, Sender>> = {
  "whatsapp-text": {
    path: "/messaging/whatsapp/send_text",
    scope: "messaging:whatsapp",
    codes: [...COMMON, 4009, 4400],
    fields: { content: "Hello" },
  },
  "whatsapp-media": {
    path: "/messaging/whatsapp/send_media",
    scope: "messaging:whatsapp",
    codes: [...COMMON, 4034],
    fields: { mediaId: SAMPLE_MEDIA_ID },
  },
  "whatsapp-template": {
    path: "/messaging/whatsapp/send_template",
    scope: "messaging:whatsapp",
    codes: [...COMMON, 4401],
    fields: { templateName: "welcome", templateLocale: "de" },
  },
  rcs: {
    path: "/messaging/rcs/send",
    scope: "messaging:rcs",
    codes: COMMON,
    fields: {
      rcsPayload: { RCSMessage: { textMessage: "Hello" }, messageContact: { userContact: "+41790000000" } },
    },
  },
};

describe("simulator: endpoints of the OAuth style", () => {
  let simulator: Simulator;
  let now = 1_000_000;

  before(async () => {
    simulator = await startSimulator({ clock: { now: () => now }, queuedAbove: 0 });
  });
  beforeEach(() => simulator.main.reset());
  after(() => simulator.close());

  it("know the codes of their kind and no others", () => {
    assert.deepEqual(
      Object.values(OAUTH_CODES).map((codes) => [...codes.keys()].sort()),
      Object.values(SENDERS).map(({ codes }) => [...codes].sort()),
    );
  });

  for (const [id, { path, scope, codes, fields }] of Object.entries(SENDERS)) {
    describe(id, () => {
      const message = (recipient = "+999555000001", more: object = {}) => ({
        applicationId: simulator.credentials.applicationId,
        recipient,
        ...fields,
        ...more,
      });
      const send = async (value: unknown, authorization?: string) =>
        postJson(
          `${simulator.url}${path}`,
          value,
          authorization ?? (await bearer(simulator.url, `media:read+${scope}`)),
        );

      it("answers 201 with the send response", async () => {
        const answer = await send(message(undefined, { clientMessageId: "Küche" }));
        assert.equal(answer.httpStatus, 201);
        assert.equal(answer.headers["content-type"], "application/json;charset=UTF-8");
        const [taken] = simulator.main.messages;
        assert.match(taken?.transferId ?? "", /^[0-9a-f]{20}$/);
        assert.deepEqual(JSON.parse(Buffer.from(answer.body, "latin1").toString()), {
          statusCode: 2000,
          statusMessage: "OK",
          clientMessageId: "Küche",
          transferId: taken?.transferId,
        });
        assert.deepEqual([taken?.operation, taken?.channel], [id, id === "rcs" ? "rcs" : "whatsapp"]);
        assert.deepEqual(taken?.recipients, ["+999555000001"]);
        assert.deepEqual(taken?.fields, message(undefined, { clientMessageId: "Küche" }));
        assert.deepEqual([taken?.smsCount, taken?.segmentsPerRecipient, taken?.test], [1, 1, false]);
        assert.deepEqual(
          simulator.main.requests.map(({ operation }) => operation),
          ["token", id],
        );
      });

      it("writes null for an id that was not given, and takes digits alone", async () => {
        const answer = JSON.parse((await send(message("999555000001"))).body);
        assert.deepEqual(Object.keys(answer), [
          "statusCode",
          "statusMessage",
          "clientMessageId",
          "transferId",
        ]);
        assert.equal(answer.clientMessageId, null);
      });

      for (const code of codes) {
        it(`99900${code} answers ${code}`, async () => {
          const answer = await send(message(`+99900${code}`, { clientMessageId: "a" }));
          const body = JSON.parse(answer.body);
          assert.equal(answer.httpStatus, HTTP[code] ?? 400);
          assert.equal(body.statusCode, code);
          assert.equal(simulator.main.messages.length, code === 2000 ? 1 : 0);
          if (code !== 2000) assert.deepEqual(Object.keys(body), ["statusCode", "statusMessage"]);
        });
      }

      it("treats a code of another kind as an ordinary number", async () => {
        const other = [4003, 4009, 4034, 4400, 4401].filter((code) => !codes.includes(code));
        for (const code of other) assert.equal((await send(message(`99900${code}`))).httpStatus, 201);
      });

      it("provokes bare answers and lost connections", async () => {
        const late = await send(message("+99901503"));
        assert.equal(late.httpStatus, 503);
        assert.doesNotMatch(late.body, /statusCode/);
        await assert.rejects(send(message("+999020001")), { code: "ECONNRESET" });
        await assert.rejects(send(message("+999020003")), { code: "HPE_INVALID_CONSTANT" });
        assert.equal((await send(message("+999020004"))).httpStatus, 201);
        assert.equal(simulator.main.messages.length, 3);
      });

      it("answers a fault with the HTTP status that fits its code", async () => {
        for (const [statusCode, httpStatus] of [
          [4999, 400],
          [2001, 201],
          [5001, 500],
          [5003, 503],
        ] as const) {
          simulator.main.addFault({ operation: id, answer: { statusCode } });
          const answer = await send(message());
          assert.deepEqual([answer.httpStatus, JSON.parse(answer.body).statusCode], [httpStatus, statusCode]);
        }
        simulator.main.addFault({
          operation: id,
          answer: { statusCode: 4023, httpStatus: 429, retryAfter: 2 },
        });
        const throttled = await send(message());
        assert.deepEqual([throttled.httpStatus, throttled.headers["retry-after"]], [429, "2"]);
      });

      describe("refuses the caller with 401 for", () => {
        const refused = async (answer: Awaited<ReturnType<typeof send>>) => {
          assert.equal(answer.httpStatus, 401);
          assert.equal(answer.headers["www-authenticate"], 'Bearer error="invalid_token"');
          assert.deepEqual(Object.keys(JSON.parse(answer.body)), ["statusMessage"]);
          assert.equal(simulator.main.messages.length, 0);
        };
        it("no token", async () => {
          const headers = { "content-type": "application/json", accept: "*/*" };
          const body = JSON.stringify(message());
          await refused(await rawRequest(`${simulator.url}${path}`, { headers, body }));
        });
        it("an unknown token, and what opens the legacy endpoints", async () => {
          const { accessToken } = simulator.credentials;
          for (const proof of [
            `Bearer simulated-bearer-${"0".repeat(40)}`,
            `Bearer ${accessToken}`,
            LEGACY_BASIC,
          ]) {
            await refused(await send(message(), proof));
          }
        });
        it("an expired token", async () => {
          const proof = await bearer(simulator.url, scope);
          now += 299_999;
          assert.equal((await send(message(), proof)).httpStatus, 201);
          now += 1;
          simulator.main.reset();
          await refused(await send(message(), proof));
        });
        it("a revoked token", async () => {
          const proof = await bearer(simulator.url, scope);
          simulator.main.revokeTokens();
          await refused(await send(message(), proof));
        });
      });

      it("refuses a token without the scope with 403", async () => {
        const others = ["messaging:whatsapp", "messaging:rcs", "media:create", "media:read"].filter(
          (each) => each !== scope,
        );
        const answer = await send(message(), await bearer(simulator.url, others.join("+")));
        assert.equal(answer.httpStatus, 403);
        assert.equal(
          answer.headers["www-authenticate"],
          `Bearer error="insufficient_scope", scope="${scope}"`,
        );
        assert.deepEqual(JSON.parse(answer.body), { statusMessage: `scope ${scope} is missing` });
      });

      const cases: Record<string, [number, string, (good: Record<string, unknown>) => unknown]> = {
        "no application": [4001, "applicationId", (good) => ({ ...good, applicationId: undefined })],
        "an application that is no uuid": [
          4001,
          "applicationId",
          (good) => ({ ...good, applicationId: "shop" }),
        ],
        "another application": [
          4001,
          "applicationId",
          (good) => ({ ...good, applicationId: "51a51a51-0000-4000-8000-000000000002" }),
        ],
        "no recipient": [4002, "recipient", (good) => ({ ...good, recipient: undefined })],
        "an empty recipient": [4002, "recipient", (good) => ({ ...good, recipient: "" })],
        "a national recipient": [4002, "recipient", (good) => ({ ...good, recipient: "0791234567" })],
        "4 digits": [4002, "recipient", (good) => ({ ...good, recipient: "+9995" })],
        "16 digits": [4002, "recipient", (good) => ({ ...good, recipient: "+9995550000000001" })],
        "a list of recipients": [4002, "recipient", (good) => ({ ...good, recipient: ["+999555000001"] })],
        "a number as recipient": [4002, "recipient", (good) => ({ ...good, recipient: 999555000001 })],
        "an empty message id": [4008, "clientMessageId", (good) => ({ ...good, clientMessageId: "" })],
        "a message id in two lines": [
          4008,
          "clientMessageId",
          (good) => ({ ...good, clientMessageId: "a\nb" }),
        ],
      };
      for (const [name, [statusCode, parameter, change]] of Object.entries(cases)) {
        it(`${statusCode} for ${name}`, async () => {
          const answer = await send(change(message()));
          assert.equal(answer.httpStatus, 400);
          const body = JSON.parse(answer.body);
          assert.equal(body.statusCode, statusCode);
          assert.match(body.statusMessage, new RegExp(`: ${parameter}: (is|must|has) .`));
          assert.deepEqual(Object.keys(body), ["statusCode", "statusMessage"]);
          assert.equal(simulator.main.messages.length, 0);
        });
      }

      it("tells an application that is none from one that is unknown", async () => {
        for (const [applicationId, reason] of [
          ["shop", "must be a UUID"],
          ["51a51a51-0000-4000-8000-000000000002", "is not an application of this account"],
        ]) {
          const { statusMessage } = JSON.parse((await send(message(undefined, { applicationId }))).body);
          assert.equal(statusMessage, `Invalid sending application: applicationId: ${reason}`);
        }
      });

      it("takes 5 and 15 digits, and a uuid in capitals", async () => {
        const applicationId = simulator.credentials.applicationId.toUpperCase();
        assert.equal((await send(message("+99955"))).httpStatus, 201);
        assert.equal((await send(message("+999550000000001", { applicationId }))).httpStatus, 201);
      });

      it("takes an application once it is registered", async () => {
        const applicationId = "51A51A51-0000-4000-8000-00000000000B";
        simulator.main.addApplication(applicationId);
        assert.equal((await send(message(undefined, { applicationId }))).httpStatus, 201);
        assert.deepEqual(simulator.main.applications, [
          simulator.credentials.applicationId,
          applicationId.toLowerCase(),
        ]);
        assert.throws(() => simulator.main.addApplication("shop"), TypeError);
      });

      it("refuses unknown fields, a query, and what is not JSON", async () => {
        for (const value of [message(undefined, { messageContent: "x" }), "[]", "{"]) {
          const answer = await send(value);
          assert.equal(answer.httpStatus, 400);
          assert.ok(answer.headers["x-simulator-reason"]);
          assert.doesNotMatch(answer.body, /statusCode/);
        }
        const proof = await bearer(simulator.url, scope);
        const inQuery = await postJson(`${simulator.url}${path}?test=true`, message(), proof);
        assert.equal(inQuery.httpStatus, 400);
        assert.equal(simulator.main.messages.length, 0);
      });
    });
  }
});
