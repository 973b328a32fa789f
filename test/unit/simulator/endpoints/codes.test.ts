import assert from "node:assert/strict";
import { LEGACY_CODES, OAUTH_CODES } from "../../../../simulator/endpoints/codes";
import { assertFields, OAUTH_SENDERS, type SenderId, SENDERS } from "../../../support/simulator";
import { useSimulator } from "../../../support/simulator/use-simulator";

const HTTP: Readonly<Record<number, number>> = { 2000: 201, 4034: 404, 5000: 500, 5003: 503 };

describe("simulator: status codes", () => {
  const sim = useSimulator();
  const sendTo = (id: SenderId, number: string, more = {}) => {
    if ("recipient" in SENDERS[id].good) return sim.send(id, { recipient: number, ...more });
    return sim.send(id, { recipientAddressList: id === "sms-form" ? number : [number], ...more });
  };

  it("match the legacy endpoints and each OAuth endpoint", () => {
    assert.deepEqual([...LEGACY_CODES.keys()], SENDERS["sms-form"].codes);
    assert.deepEqual(
      Object.values(OAUTH_CODES).map((codes) => [...codes.keys()].sort()),
      OAUTH_SENDERS.map((id) => [...SENDERS[id].codes].sort()),
    );
  });

  for (const id of ["sms-form", "whatsapp-broadcast", ...OAUTH_SENDERS] as const) {
    const oauth = id !== "sms-form" && id !== "whatsapp-broadcast";
    for (const code of SENDERS[id].codes) {
      it(`99900${code} causes ${code} at ${id}`, async () => {
        const answer = await sendTo(id, `99900${code}`, { clientMessageId: "a" });
        const success = code < 4000;
        const httpStatus = oauth ? (HTTP[code] ?? 400) : code === 4001 ? 401 : 200;
        assertFields(answer, { httpStatus, code });
        assert.equal(typeof answer.value.transferId === "string", success);
        if (oauth && !success) assert.deepEqual(Object.keys(answer.value), ["statusCode", "statusMessage"]);
        if (!oauth) assert.equal(answer.value.smsCount, success ? 1 : 0);
        assert.equal(sim.main.messages.length, success ? 1 : 0);
        assertFields(sim.main.requests.at(-1), {
          fault: { id: "faulty-recipient", kind: `statusCode ${code}` },
        });
      });
    }
  }

  for (const id of OAUTH_SENDERS) {
    it(`${id} answers a fault with the HTTP status of its code`, async () => {
      const answers: [statusCode: number, httpStatus: number, more?: object][] = [
        [4999, 400],
        [2001, 201],
        [5001, 500],
        [5003, 503],
        [4023, 429, { httpStatus: 429, retryAfter: 2 }],
      ];
      for (const [statusCode, httpStatus, more] of answers) {
        sim.main.addFault({ operation: id, answer: { statusCode, ...more } });
        const answer = await sim.send(id);
        assertFields(answer, { httpStatus, code: statusCode });
        assert.equal(answer.headers["retry-after"], more && "2");
      }
    });
  }
});
