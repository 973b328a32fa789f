import assert from "node:assert/strict";
import { bearer, filePart, LEGACY_BASIC, postJson, postParts, rawRequest } from "../raw-request";
import { useSimulator } from "../use-simulator";

const GOOD = { recipientAddressList: ["41790000000"], messageContent: "Hello" };
const PATHS = ["/converged/whatsapp", "/rest/converged/whatsapp"];

describe("simulator: WhatsApp broadcast", () => {
  const simulator = useSimulator({ maxPriority: 5, queuedAbove: 2, maxUpload: 1000 });

  const send = (value: unknown, path = PATHS[0], authorization = LEGACY_BASIC) =>
    postJson(`${simulator.url}${path}`, value, authorization);
  const attach = (parts: string[], path = "/whatsapp/attachment") =>
    postParts(`${simulator.url}${path}`, parts, LEGACY_BASIC);

  for (const path of PATHS) {
    it(`is served at ${path}`, async () => {
      const value = {
        ...GOOD,
        messageContent: "Grüße 🙂\n",
        recipientAddressList: ["+41790000000", "41790000001"],
        contentCategory: "informational",
        clientMessageId: "a",
        priority: 5,
        test: true,
        validityPeriode: 60,
      };
      const answer = await send(value, path);
      assert.equal(answer.httpStatus, 200);
      const [message] = simulator.main.messages;
      assert.deepEqual(JSON.parse(answer.body), {
        statusCode: 2000,
        statusMessage: "OK",
        clientMessageId: "a",
        transferId: message?.transferId,
        smsCount: 2,
      });
      assert.deepEqual([message?.operation, message?.channel], ["whatsapp-broadcast", "whatsapp"]);
      assert.deepEqual(message?.fields, value);
      assert.equal(message?.test, true);
      assert.equal(simulator.main.requests[0]?.path, path);
    });
  }

  it("is queued above the set number of recipients", async () => {
    const list = ["41790000000", "41790000001", "41790000002"];
    const answer = JSON.parse((await send({ ...GOOD, recipientAddressList: list })).body);
    assert.deepEqual([answer.statusCode, answer.smsCount], [2001, 3]);
  });

  it("needs no session window, and takes the access token of the account", async () => {
    const authorization = `Bearer ${simulator.credentials.accessToken}`;
    assert.equal(JSON.parse((await send(GOOD, undefined, authorization)).body).statusCode, 2000);
    const inQuery = await rawRequest(
      `${simulator.url}${PATHS[0]}?access_token=${simulator.credentials.accessToken}`,
      { headers: { "content-type": "application/json", accept: "*/*" }, body: JSON.stringify(GOOD) },
    );
    assert.equal(JSON.parse(inQuery.body).statusCode, 2000);
  });

  it("answers 401 and 4001 to a bearer token of the other style", async () => {
    const answer = await send(GOOD, undefined, await bearer(simulator.url, "messaging:whatsapp"));
    assert.equal(answer.httpStatus, 401);
    assert.equal(JSON.parse(answer.body).statusCode, 4001);
  });

  it("applies faults at both paths", async () => {
    simulator.main.addFault({ operation: "whatsapp-broadcast", answer: { statusCode: 4023 } });
    assert.equal(JSON.parse((await send(GOOD, PATHS[1])).body).statusCode, 4023);
  });

  describe("attachments", () => {
    for (const path of ["/whatsapp/attachment", "/rest/whatsapp/attachment"]) {
      it(`are made at ${path} and can be sent`, async () => {
        const answer = await attach([filePart("%PDF", "K\xc3\xbcche.pdf", "file", "application/pdf")], path);
        assert.equal(answer.httpStatus, 200);
        const { attachmentId, ...rest } = JSON.parse(answer.body);
        assert.deepEqual(rest, { statusCode: 2000, statusMessage: "OK" });
        assert.ok(Number.isInteger(attachmentId));
        const description = {
          fileName: "Küche.pdf",
          contentType: "application/pdf",
          size: 4,
          sha256: "315d429b7714cedb6ad04ac31240145257692630457f3c88253c5beceac76027",
        };
        assert.deepEqual(simulator.main.attachments, [{ attachmentId, ...description }]);
        const [request] = simulator.main.requests;
        assert.deepEqual([request?.operation, request?.statusCode], ["attachment-create", 2000]);
        assert.deepEqual(request?.fields, { file: description });
        assert.equal(request?.rawBody, "");
        assert.equal(JSON.parse((await send({ ...GOOD, attachmentId })).body).statusCode, 2000);
      });
    }

    it("have ids of their own, also after a reset, which forgets them", async () => {
      const one = JSON.parse((await attach([filePart("a")])).body).attachmentId;
      simulator.main.reset();
      assert.equal(JSON.parse((await send({ ...GOOD, attachmentId: one })).body).statusCode, 4034);
      assert.equal(JSON.parse((await attach([filePart("a")])).body).attachmentId, one + 1);
    });

    it("are one account's own", async () => {
      const { attachmentId } = JSON.parse((await attach([filePart("a")])).body);
      simulator.account("other");
      const other = await send({ ...GOOD, attachmentId }, `/account/other${PATHS[0]}`);
      assert.equal(JSON.parse(other.body).statusCode, 4034);
    });

    it("need credentials, a file that is not empty, and one that is not too large", async () => {
      const url = `${simulator.url}/whatsapp/attachment`;
      const refused = await postParts(url, [filePart("a")], "Bearer wrong");
      assert.deepEqual([refused.httpStatus, JSON.parse(refused.body).statusCode], [401, 4001]);
      const none = JSON.parse((await attach([])).body);
      assert.deepEqual([none.statusCode, none.statusMessage], [4019, "Missing parameter: file"]);
      const noFile = JSON.parse(
        (await attach(['Content-Disposition: form-data; name="file"\r\n\r\nx'])).body,
      );
      assert.equal(noFile.statusCode, 4034);
      assert.equal(JSON.parse((await attach([filePart("")])).body).statusCode, 4034);
      assert.equal(JSON.parse((await attach([filePart("x".repeat(1000))])).body).statusCode, 2000);
      assert.equal((await attach([filePart("x".repeat(1001))])).httpStatus, 413);
      assert.equal(simulator.main.attachments.length, 1);
    });

    it("fail on request, made or not", async () => {
      simulator.main.addFault({ operation: "attachment-create", answer: { statusCode: 5000 } });
      simulator.main.addFault({ operation: "attachment-create", answer: { statusCode: 5000, accept: true } });
      assert.equal(JSON.parse((await attach([filePart("a")])).body).statusCode, 5000);
      assert.equal(simulator.main.attachments.length, 0);
      assert.equal(JSON.parse((await attach([filePart("a")])).body).statusCode, 5000);
      assert.equal(simulator.main.attachments.length, 1);
    });
  });
});
