import assert from "node:assert/strict";
import { bearer, LEGACY_BASIC, parseAnswer, postJson, rawRequest } from "../raw-request";
import { useSimulator } from "../use-simulator";
import { OAUTH_SENDERS, SENDERS, sendTo } from "./senders";

describe("simulator: OAuth endpoints", () => {
  let now = 1_000_000;
  const simulator = useSimulator({ clock: { now: () => now }, queuedAbove: 0 });

  for (const id of OAUTH_SENDERS) {
    const { path, scope, good, channel } = SENDERS[id];
    const sendWith = async (authorization: string) =>
      parseAnswer(await postJson(simulator.url + path, good, authorization));

    describe(id, () => {
      it("answers 201 with the send response", async () => {
        const answer = await sendTo(simulator.url, id, { clientMessageId: "Küche" });
        assert.equal(answer.httpStatus, 201);
        assert.equal(answer.headers["content-type"], "application/json;charset=UTF-8");
        const [message] = simulator.main.messages;
        const { transferId } = message ?? {};
        assert.match(transferId ?? "", /^[0-9a-f]{20}$/);
        const expected = { statusCode: 2000, statusMessage: "OK", clientMessageId: "Küche", transferId };
        assert.deepEqual(answer.fields, expected);
        assert.deepEqual([message?.operation, message?.channel], [id, channel]);
        assert.deepEqual(message?.recipients, ["+999555000001"]);
        assert.deepEqual(message?.fields, { ...good, clientMessageId: "Küche" });
        assert.deepEqual([message?.smsCount, message?.segmentsPerRecipient, message?.test], [1, 1, false]);
        assert.deepEqual(
          simulator.main.requests.map(({ operation }) => operation),
          ["token", id],
        );
      });

      it("writes null for a missing id, and accepts a number without plus", async () => {
        const { fields } = await sendTo(simulator.url, id, { recipient: "999555000001" });
        assert.equal(fields.clientMessageId, null);
        assert.equal(Object.keys(fields).join(), "statusCode,statusMessage,clientMessageId,transferId");
      });

      const refused = (answer: Awaited<ReturnType<typeof sendWith>>) => {
        assert.equal(answer.httpStatus, 401);
        assert.equal(answer.headers["www-authenticate"], 'Bearer error="invalid_token"');
        assert.deepEqual(Object.keys(answer.fields), ["statusMessage"]);
        assert.equal(simulator.main.messages.length, 0);
      };

      it("answers 401 without a token", async () => {
        const headers = { "content-type": "application/json", accept: "*/*" };
        const body = JSON.stringify(good);
        refused(parseAnswer(await rawRequest(simulator.url + path, { headers, body })));
      });

      it("answers 401 to an unknown token and to legacy credentials", async () => {
        const { accessToken } = simulator.credentials;
        for (const token of [`Bearer simulated-bearer-${"0".repeat(40)}`, `Bearer ${accessToken}`]) {
          refused(await sendWith(token));
        }
        refused(await sendWith(LEGACY_BASIC));
      });

      it("answers 401 to an expired token", async () => {
        const token = await bearer(simulator.url, scope);
        now += 299_999;
        assert.equal((await sendWith(token)).httpStatus, 201);
        now += 1;
        simulator.main.reset();
        refused(await sendWith(token));
      });

      it("answers 401 to a revoked token", async () => {
        const token = await bearer(simulator.url, scope);
        simulator.main.revokeTokens();
        refused(await sendWith(token));
      });

      it("answers 403 to a token without the scope", async () => {
        const all = ["messaging:whatsapp", "messaging:rcs", "media:create", "media:read"];
        const others = all.filter((each) => each !== scope).join("+");
        const answer = await sendWith(await bearer(simulator.url, others));
        assert.equal(answer.httpStatus, 403);
        const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
        assert.equal(answer.headers["www-authenticate"], challenge);
        assert.deepEqual(answer.fields, { statusMessage: `scope ${scope} is missing` });
      });

      it("accepts an added application", async () => {
        const applicationId = "51A51A51-0000-4000-8000-00000000000B";
        simulator.main.addApplication(applicationId);
        assert.equal((await sendTo(simulator.url, id, { applicationId })).httpStatus, 201);
        const all = [simulator.credentials.applicationId, applicationId.toLowerCase()];
        assert.deepEqual(simulator.main.applications, all);
        assert.throws(() => simulator.main.addApplication("shop"), TypeError);
      });

      it("refuses unknown fields, other bodies and a query", async () => {
        const token = await bearer(simulator.url, scope);
        for (const [query, value] of [
          ["", { ...good, messageContent: "x" }],
          ["", "[]"],
          ["", "{"],
          ["?test=true", good],
        ] as const) {
          const answer = await postJson(`${simulator.url}${path}${query}`, value, token);
          assert.equal(answer.httpStatus, 400);
          assert.ok(answer.headers["x-simulator-reason"]);
          assert.doesNotMatch(answer.body, /statusCode/);
        }
        assert.equal(simulator.main.messages.length, 0);
      });
    });
  }
});
