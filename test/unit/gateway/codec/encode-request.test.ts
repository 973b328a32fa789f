import assert from "node:assert/strict";
import type { OperationId } from "../../../../lib/gateway/contract/operations";
import type { GatewaySettings } from "../../../../lib/gateway/contract/settings";
import { UUID } from "../../../support/gateway/gateway-settings";
import { useGateway, withTokens } from "../../../support/gateway/use-gateway";
import { answer, type SeenRequest } from "../../../support/http/fault-server";

describe("gateway requests on the wire", () => {
  const { serve, dispatch } = useGateway();

  async function wire(
    operation: OperationId,
    fields: Record<string, unknown>,
    changed: Partial<GatewaySettings> = {},
  ): Promise<SeenRequest> {
    const server = await serve(withTokens(answer(200, `{"statusCode":2000}`)));
    const { queue } = dispatch(`${server.url}/x/`, changed);
    const { outcome, statusMessage } = await queue.submit({ operation, fields });
    assert.equal(outcome, "sent", statusMessage);
    return server.requests.at(-1) as SeenRequest;
  }

  const many = { recipientAddressList: ["41791234567", "41791234568"], messageContent: "x" };

  it("writes a form in Latin-1, a list once and joined by commas", async () => {
    const text = "Grüße & 100% +/= \r\nÿ\u0080~*-._'\"";
    const { headers, body, method, target } = await wire("sms-form", {
      ...many,
      messageContent: text,
      sendAsFlashSms: false,
      test: true,
      validityPeriode: 60,
      clientMessageId: undefined,
    });
    assert.deepEqual([method, target], ["POST", "/x/rest/smsmessaging/simple"]);
    assert.equal(headers["content-type"], "application/x-www-form-urlencoded");
    assert.equal(headers.accept, undefined);
    assert.equal(
      body.toString("latin1"),
      "recipientAddressList=41791234567%2C41791234568" +
        "&messageContent=Gr%FC%DFe+%26+100%25+%2B%2F%3D+%0D%0A%FF%80%7E*-._%27%22" +
        "&sendAsFlashSms=false&test=true&validityPeriode=60",
    );
  });

  it("writes the same into the query of the GET form, without a body", async () => {
    const { headers, body, method, target } = await wire("sms-get", { ...many, messageContent: "ü ?#" });
    assert.equal(method, "GET");
    assert.equal(
      target,
      "/x/rest/smsmessaging/simple?recipientAddressList=41791234567%2C41791234568&messageContent=%FC+%3F%23",
    );
    assert.equal(body.length, 0);
    assert.equal(headers["content-type"], undefined);
    assert.equal(headers["content-length"], undefined);
  });

  it("writes JSON in UTF-8, without what is not set", async () => {
    const fields = { ...many, messageContent: "ü € \u{1F600}\n\\ud800", priority: undefined, test: false };
    const { headers, body, target } = await wire("sms-json", fields);
    assert.equal(target, "/x/rest/smsmessaging/text");
    assert.deepEqual([headers["content-type"], headers.accept], ["application/json", "application/json"]);
    assert.equal(headers["content-length"], String(body.length));
    assert.equal(
      body.toString("utf8"),
      `{"recipientAddressList":["41791234567","41791234568"],"messageContent":"ü € \u{1F600}\\n\\\\ud800","test":false}`,
    );
  });

  const media = { applicationId: UUID, recipient: "+41791234567", mediaId: UUID };
  const paths = {
    "whatsapp-media": " own/media ",
    "whatsapp-broadcast": "/not/changeable",
    "sms-form": "/no",
  };
  for (const [what, operation, changed, target] of [
    ["the printed path", "whatsapp-broadcast", {}, "converged/whatsapp"],
    ["the one with /rest", "whatsapp-broadcast", { restPrefix: true }, "rest/converged/whatsapp"],
    ["/rest once", "sms-form", { restPrefix: true }, "rest/smsmessaging/simple"],
    ["the account's own where the contract shows none", "whatsapp-media", { paths }, "own/media"],
    ["the assumed one", "whatsapp-media", {}, "messaging/whatsapp/send_media"],
    ["the printed path, whatever the account says", "whatsapp-broadcast", { paths }, "converged/whatsapp"],
  ] as const) {
    it(`uses ${what} (${operation})`, async () => {
      const fields = operation === "whatsapp-media" ? media : many;
      assert.equal((await wire(operation, fields, changed)).target, `/x/${target}`);
    });
  }

  it("fills a field into the path and accepts a file of any type", async () => {
    const { headers, body, method, target } = await wire("media-download", { mediaId: UUID });
    assert.deepEqual([method, target, body.length], ["GET", `/x/messaging/media/${UUID}`, 0]);
    assert.equal(headers.accept, "*/*");
  });

  for (const id of ["attachment-create", "media-upload"] as const) {
    it(`writes a file byte by byte (${id})`, async () => {
      const data = Buffer.from([0, 13, 10, 45, 45, 255, 128]);
      const file = { data: new Uint8Array(data), name: `a"b\r\nc\\ü.png`, type: "image/png\r\nx: y" };
      const { headers, body } = await wire(id, { file });
      const boundary = /^multipart\/form-data; boundary=(part-[\w-]{36})$/.exec(
        headers["content-type"] ?? "",
      )?.[1];
      assert.ok(boundary, headers["content-type"]);
      const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a%22b%0D%0Ac\\ü.png"\r\ncontent-type: image/png%0D%0Ax: y\r\n\r\n`;
      const expected = Buffer.concat([Buffer.from(head), data, Buffer.from(`\r\n--${boundary}--\r\n`)]);
      assert.deepEqual(body, expected);
      assert.equal(headers.accept, "application/json");
    });
  }
});
