import assert from "node:assert/strict";
import { SimulatedService } from "../../../node/simulated-service";
import { literal } from "./literals";
import { RICH_CASES } from "./rich-cases";
import { TEXT_CASES } from "./text-cases";

const TO = "+99955500001";
const APPLICATION = "51a51a51-0000-4000-8000-000000000001";

describe("rcs-send: messages on the wire", () => {
  const service = new SimulatedService({ type: "messaging-rcs-send" });

  for (const [title, { sender, msg, RCSMessage }] of Object.entries({ ...TEXT_CASES, ...RICH_CASES })) {
    it(title, async () => {
      const { body, result } = await service.accepted(sender, { to: TO, ...msg });
      assert.deepEqual(body, {
        applicationId: APPLICATION,
        recipient: TO,
        clientMessageId: result.clientMessageId,
        rcsPayload: { RCSMessage, messageContact: { userContact: TO } },
      });
    });
  }

  it("goes to the endpoint of RCS, with a token for RCS, and says so in the result", async () => {
    const { result } = await service.accepted({ kind: "text" }, { to: TO, payload: "x" });
    const [token, request] = service.simulator.main.requests;
    assert.match(token?.rawBody ?? "", /scope=messaging%3Arcs$/);
    assert.equal(`${request?.method} ${request?.path}`, "POST /messaging/rcs/send");
    assert.equal(request?.headers["content-type"], "application/json");
    assert.deepEqual([result.operation, result.httpStatus, result.smsCount], ["rcs", 201, null]);
    assert.ok(result.transferId);
  });

  it("leaves out what another kind has filled in", async () => {
    const { body } = await service.accepted(
      { kind: "text", ...literal("title", "str", "x"), ...literal("fileSize", "num", "-1") },
      { to: TO, payload: "x" },
    );
    const { RCSMessage } = (body as { rcsPayload: { RCSMessage: object } }).rcsPayload;
    assert.deepEqual(RCSMessage, { textMessage: "x" });
  });
});
