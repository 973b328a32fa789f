import assert from "node:assert/strict";
import { assertFields, OAUTH_SENDERS, pluck, SENDERS, useSimulator } from "../../../support/simulator";
import { LEGACY_BASIC } from "../../../support/simulator/service-client";

describe("simulator: OAuth endpoints", () => {
  let now = 1_000_000;
  const sim = useSimulator({ clock: { now: () => now }, queuedAbove: 0 });

  for (const id of OAUTH_SENDERS) {
    const { path, scope, good, channel } = SENDERS[id];
    const sendWith = (authorization: string) => sim.json(path, good, authorization);

    describe(id, () => {
      it("answers 201 with the send response", async () => {
        const clientMessageId = "Küche";
        const answer = await sim.send(id, { clientMessageId });
        assertFields(answer, { httpStatus: 201, type: "application/json;charset=UTF-8" });
        const [message] = sim.main.messages;
        const { transferId } = message!;
        assert.match(transferId, /^[0-9a-f]{20}$/);
        assert.deepEqual(answer.value, {
          statusCode: 2000,
          statusMessage: "OK",
          clientMessageId,
          transferId,
        });
        assertFields(message, { operation: id, channel, recipients: ["+999555000001"], test: false });
        assertFields(message, { fields: { ...good, clientMessageId }, smsCount: 1, segmentsPerRecipient: 1 });
        assert.deepEqual(pluck(sim.main.requests, "operation"), ["token", id]);
      });

      describe("answers 401", () => {
        const refused = async (authorization?: string, acceptedBefore = 0) => {
          const headers = { "content-type": "application/json", accept: "*/*" };
          const answer = await (authorization === undefined
            ? sim.request(path, { headers, body: JSON.stringify(good) })
            : sendWith(authorization));
          assertFields(answer, { httpStatus: 401, challenge: 'Bearer error="invalid_token"' });
          assert.deepEqual(Object.keys(answer.value), ["statusMessage"]);
          assert.equal(sim.main.messages.length, acceptedBefore);
        };

        it("without a token", () => refused());

        it("to an unknown token and to legacy credentials", async () => {
          await refused(`Bearer simulated-bearer-${"0".repeat(40)}`);
          await refused(`Bearer ${sim.credentials.accessToken}`);
          await refused(LEGACY_BASIC);
        });

        it("to an expired token", async () => {
          const token = await sim.bearer(scope);
          now += 299_999;
          assert.equal((await sendWith(token)).httpStatus, 201);
          now += 1;
          await refused(token, 1);
        });
      });

      it("answers 403 to a token without the scope", async () => {
        const all = ["messaging:whatsapp", "messaging:rcs", "media:create", "media:read"];
        const answer = await sendWith(await sim.bearer(all.filter((each) => each !== scope).join("+")));
        const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
        assertFields(answer, { httpStatus: 403, challenge });
        assert.deepEqual(answer.value, { statusMessage: `scope ${scope} is missing` });
      });

      it("refuses unknown fields, other bodies and a query", async () => {
        const token = await sim.bearer(scope);
        for (const answer of [
          await sim.json(path, { ...good, messageContent: "x" }, token),
          await sim.json(path, "[]", token),
          await sim.json(path, "{", token),
          await sim.json(`${path}?test=true`, good, token),
        ]) {
          assertFields(answer, { httpStatus: 400, reason: /./, body: /^(?!.*statusCode)/s });
        }
        assert.equal(sim.main.messages.length, 0);
      });
    });
  }
});
