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

  it("is queued above the set number of recipients", async () => {
    const recipientAddressList = ["41790000000", "41790000001", "41790000002"];
    assertFields((await send({ recipientAddressList })).value, { statusCode: 2001, smsCount: 3 });
  });

  it("needs no session window, and takes the access token of the account", async () => {
    const { accessToken } = sim.credentials;
    assert.equal((await send({}, `Bearer ${accessToken}`)).code, 2000);
    const headers = { "content-type": "application/json", accept: "*/*" };
    const path = `${PATH}?access_token=${accessToken}`;
    assert.equal((await sim.request(path, { headers, body: JSON.stringify(GOOD) })).code, 2000);
  });

  it("answers 401 and 4001 to a bearer token of the other style", async () => {
    const answer = await send({}, await sim.bearer("messaging:whatsapp"));
    assertFields(answer, { httpStatus: 401, code: 4001 });
  });

  it("applies faults at both paths", async () => {
    sim.main.addFault({ operation: "whatsapp-broadcast", answer: { statusCode: 4023 } });
    assert.equal((await send({}, LEGACY_BASIC, `/rest${PATH}`)).code, 4023);
  });

  describe("attachments", () => {
    const attach = (parts: string[], path = "/whatsapp/attachment", authorization = LEGACY_BASIC) =>
      sim.parts(path, parts, authorization);
    const attachmentId = async () => (await attach([filePart("a")])).value.attachmentId as number;

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

    it("have ids of their own, also after a reset, which forgets them", async () => {
      const first = await attachmentId();
      sim.main.reset();
      assert.equal((await send({ attachmentId: first })).code, 4034);
      assert.equal(await attachmentId(), first + 1);
    });

    it("are one account's own", async () => {
      const { pathname } = new URL(sim.account("other").url);
      assert.equal(
        (await send({ attachmentId: await attachmentId() }, LEGACY_BASIC, pathname + PATH)).code,
        4034,
      );
    });

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

    it("fail on request, made or not", async () => {
      for (const accept of [false, true]) {
        sim.main.addFault({ operation: "attachment-create", answer: { statusCode: 5000, accept } });
        assert.equal((await attach([filePart("a")])).code, 5000);
        assert.equal(sim.main.attachments.length, accept ? 1 : 0);
      }
    });
  });
});
