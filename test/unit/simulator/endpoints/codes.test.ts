import assert from "node:assert/strict";
import { LEGACY_CODES, OAUTH_CODES } from "../../../../simulator/endpoints/codes";
import { useSimulator } from "../use-simulator";
import { OAUTH_SENDERS, SENDERS, type SenderId, sendTo } from "./senders";

const HTTP: Readonly<Record<number, number>> = { 2000: 201, 4034: 404, 5000: 500, 5003: 503 };

describe("simulator: status codes", () => {
  const simulator = useSimulator();
  const to = (id: SenderId, number: string) =>
    "recipient" in SENDERS[id].good
      ? { recipient: number }
      : { recipientAddressList: id === "sms-form" ? number : [number] };

  it("are those of the legacy endpoints and of each OAuth endpoint, and no others", () => {
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
        const answer = await sendTo(simulator.url, id, { ...to(id, `99900${code}`), clientMessageId: "a" });
        const success = code < 4000;
        assert.equal(answer.httpStatus, oauth ? (HTTP[code] ?? 400) : code === 4001 ? 401 : 200);
        assert.equal(answer.fields.statusCode, code);
        assert.equal(typeof answer.fields.transferId === "string", success);
        if (oauth && !success) assert.deepEqual(Object.keys(answer.fields), ["statusCode", "statusMessage"]);
        if (!oauth) assert.equal(answer.fields.smsCount, success ? 1 : 0);
        assert.equal(simulator.main.messages.length, success ? 1 : 0);
        const fault = { id: "magic", kind: `statusCode ${code}` };
        assert.deepEqual(simulator.main.requests.at(-1)?.fault, fault);
      });
    }

    it(`a code that ${id} lacks is an ordinary number`, async () => {
      for (const code of [1234, 4003, 4009, 4034, 4400, 4401]) {
        if ((SENDERS[id].codes as readonly number[]).includes(code)) continue;
        const answer = await sendTo(simulator.url, id, to(id, `99900${code}`));
        assert.deepEqual([answer.httpStatus, answer.fields.statusCode], [oauth ? 201 : 200, 2000]);
      }
    });
  }

  for (const id of OAUTH_SENDERS) {
    it(`${id} answers a fault with the HTTP status of its code`, async () => {
      const answers: [object, number, number][] = [
        [{}, 4999, 400],
        [{}, 2001, 201],
        [{}, 5001, 500],
        [{}, 5003, 503],
        [{ httpStatus: 429, retryAfter: 2 }, 4023, 429],
      ];
      for (const [more, statusCode, httpStatus] of answers) {
        simulator.main.addFault({ operation: id, answer: { statusCode, ...more } });
        const answer = await sendTo(simulator.url, id);
        assert.deepEqual([answer.httpStatus, answer.fields.statusCode], [httpStatus, statusCode]);
        assert.equal(answer.headers["retry-after"], statusCode === 4023 ? "2" : undefined);
      }
    });

    it(`${id} has bare answers and lost connections`, async () => {
      const late = await sendTo(simulator.url, id, { recipient: "+99901503" });
      assert.equal(late.httpStatus, 503);
      assert.doesNotMatch(late.body, /statusCode/);
      const lost = (recipient: string) => sendTo(simulator.url, id, { recipient });
      await assert.rejects(lost("+999020001"), { code: "ECONNRESET" });
      await assert.rejects(lost("+999020003"), { code: "HPE_INVALID_CONSTANT" });
      assert.equal((await lost("+999020004")).httpStatus, 201);
      assert.equal(simulator.main.messages.length, 3);
    });
  }
});
