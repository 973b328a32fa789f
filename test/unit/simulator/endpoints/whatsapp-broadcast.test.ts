import assert from "node:assert/strict";
import { assertFields, filePart, LEGACY_BASIC, SENDERS, useSimulator } from "../../../support/simulator";

const { path: PATH, good: GOOD } = SENDERS["whatsapp-broadcast"];

describe("simulator: WhatsApp broadcast", () => {
  const sim = useSimulator({ maxPriority: 5, queuedAbove: 2, maxUpload: 1000 });
  const send = (fields: object = {}, authorization = LEGACY_BASIC, path: string = PATH) =>
    sim.json(path, { ...GOOD, ...fields }, authorization);

  for (const path of [PATH, `/rest${PATH}`]) {
    it(`is served at ${path}`, async () => {
      const value = {
        recipientAddressList: ["+41790000000", "41790000001"],
        messageContent: "Grüße 🙂\n",
        contentCategory: "informational",
        clientMessageId: "a",
        priority: 5,
        test: true,
        validityPeriode: 60,
      };
      const answer = await send(value, LEGACY_BASIC, path);
      const [message] = sim.main.messages;
      const { transferId } = message!;
      const result = { statusCode: 2000, statusMessage: "OK", clientMessageId: "a", transferId, smsCount: 2 };
      assertFields(answer, { httpStatus: 200, value: result });
      const operation = "whatsapp-broadcast";
      assertFields(message, { operation, channel: "whatsapp", fields: value, test: true });
      assert.equal(sim.main.requests[0]?.path, path);
    });
  }

  it("needs no session window, and takes the access token of the account", async () => {
    const { accessToken } = sim.credentials;
    assert.equal((await send({}, `Bearer ${accessToken}`)).code, 2000);
    const headers = { "content-type": "application/json", accept: "*/*" };
    const path = `${PATH}?access_token=${accessToken}`;
    assert.equal((await sim.request(path, { headers, body: JSON.stringify(GOOD) })).code, 2000);
  });

  describe("attachments", () => {
    const attach = (parts: string[], path = "/whatsapp/attachment", authorization = LEGACY_BASIC) =>
      sim.parts(path, parts, authorization);
    for (const path of ["/whatsapp/attachment", "/rest/whatsapp/attachment"]) {
      it(`are made at ${path} and can be sent`, async () => {
        const answer = await attach([filePart("%PDF", "K\xc3\xbcche.pdf", "file", "application/pdf")], path);
        const { attachmentId, ...rest } = answer.value;
        assert.deepEqual([answer.httpStatus, rest], [200, { statusCode: 2000, statusMessage: "OK" }]);
        assert.ok(Number.isInteger(attachmentId));
        const file = {
          fileName: "Küche.pdf",
          contentType: "application/pdf",
          size: 4,
          sha256: "315d429b7714cedb6ad04ac31240145257692630457f3c88253c5beceac76027",
        };
        assert.deepEqual(sim.main.attachments, [{ attachmentId, ...file }]);
        const recorded = { operation: "attachment-create", statusCode: 2000, fields: { file }, rawBody: "" };
        assertFields(sim.main.requests[0], recorded);
        assert.equal((await send({ attachmentId })).code, 2000);
      });
    }

    it("need credentials, a file that is not empty, and one that is not too large", async () => {
      const refused = await attach([filePart("a")], undefined, "Bearer wrong");
      assertFields(refused, { httpStatus: 401, code: 4001 });
      const { value } = await attach([]);
      assertFields(value, { statusCode: 4019, statusMessage: "Missing parameter: file" });
      assert.equal((await attach(['Content-Disposition: form-data; name="file"\r\n\r\nx'])).code, 4034);
      assert.equal((await attach([filePart("")])).code, 4034);
      assert.equal((await attach([filePart("x".repeat(1000))])).code, 2000);
      assert.equal((await attach([filePart("x".repeat(1001))])).httpStatus, 413);
      assert.equal(sim.main.attachments.length, 1);
    });
  });
});
