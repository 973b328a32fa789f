import assert from "node:assert/strict";
import type { Exchange } from "../../../../lib/gateway/http/exchange";
import { OPERATIONS, type OperationId } from "../../../../lib/gateway/contract/operations";
import { readRetryAfter } from "../../../../lib/gateway/codec/read-response";
import { judge, type Mask, type Verdict } from "../../../../lib/gateway/codec/verdict";
import type { LocalFault } from "../../../../lib/gateway/contract/local-outcomes";
import { say } from "../../../../lib/texts/say";
import { UUID } from "../../../support/gateway/gateway-settings";

const NOW = Date.parse("2025-01-01T00:00:00Z");
const UNREADABLE = "unknown null ANSWER_UNREADABLE";

type Body = string | Buffer | object;
type Read = (body: string | object, status?: number) => Verdict;

function verdictOf(
  id: OperationId,
  status: number,
  body: Body,
  headers: Record<string, string | string[]> = {},
  refusedAt503 = false,
  mask?: Mask,
): Verdict {
  const bytes = Buffer.isBuffer(body) || typeof body === "string" ? body : JSON.stringify(body);
  const result: Exchange = { response: { status, headers, body: Buffer.from(bytes as string) } };
  return judge(OPERATIONS[id], result, refusedAt503, NOW, mask);
}

const form = (body: Body, status = 200): Verdict => verdictOf("sms-form", status, body);
const json: Read = (body, status = 200) => verdictOf("sms-json", status, body);
const oauth: Read = (body, status = 201) => verdictOf("whatsapp-text", status, body);
const brief = ({ outcome, statusCode, statusName }: Verdict): string =>
  `${outcome} ${statusCode} ${statusName}`;
const idsOf = ({ outcome, transferId, clientMessageId }: Verdict) => [outcome, transferId, clientMessageId];
/** The service's own words, which stand in brackets behind the meaning. */
const wordsOf = ({ statusMessage }: Verdict): string | undefined => /\((.*)\)$/s.exec(statusMessage)?.[1];

describe("gateway verdict: the code decides", () => {
  it("overrides any HTTP status that does not contradict it", () => {
    for (const status of [200, 201, 202, 302, 400, 401, 403, 404, 408, 429, 500, 502, 503]) {
      assert.equal(brief(json({ statusCode: 4002 }, status)), "rejected 4002 INVALID_RECIPIENT");
      assert.equal(brief(json({ statusCode: 5003 }, status)), "retry-later 5003 SERVICE_UNAVAILABLE");
      assert.equal(brief(json({ statusCode: 5000 }, status)), "unknown 5000 INTERNAL_ERROR");
      assert.equal(json({ statusCode: 5003 }, status).httpStatus, status);
    }
  });

  it("reads a code by the style of the operation", () => {
    assert.equal(brief(json({ statusCode: 4001 })), "denied 4001 INVALID_CREDENTIALS");
    assert.equal(brief(oauth({ statusCode: 4001 }, 400)), "denied 4001 INVALID_APPLICATION");
    assert.equal(brief(json({ statusCode: 2001 })), "queued 2001 OK_QUEUED");
    assert.equal(brief(oauth({ statusCode: 2001 })), "unknown 2001 CODE_2001");
  });

  it("reads OAuth 2001 as queued when the response has a transferId, at any 2xx", () => {
    const queued = { statusCode: 2001, transferId: "t-1" };
    for (const status of [200, 201, 202]) {
      assert.equal(brief(oauth(queued, status)), "queued 2001 OK_QUEUED");
      assert.equal(oauth(queued, status).transferId, "t-1");
    }
    for (const transferId of ["", null, "null", undefined]) {
      assert.equal(brief(oauth({ statusCode: 2001, transferId })), "unknown 2001 CODE_2001");
    }
    for (const status of [302, 400, 401, 500]) {
      assert.equal(brief(oauth(queued, status)), "unknown 2001 ANSWER_CONTRADICTORY");
    }
  });

  it("reads the word null as no id", () => {
    const none = { statusCode: 4002, transferId: "null", clientMessageId: "null" };
    for (const read of [json, oauth]) {
      assert.deepEqual(idsOf(read(none, 400)), ["rejected", null, null]);
    }
    const refused = form("statusCode=5003&statusMessage=null&transferId=null&clientMessageId=null");
    assert.deepEqual(idsOf(refused), ["retry-later", null, null]);
    assert.equal(refused.statusMessage, say("outcomes.legacy.5003.meaning"));
    const alike = form("statusCode=2000&transferId=null1&clientMessageId=NULL");
    assert.deepEqual(idsOf(alike), ["sent", "null1", "NULL"]);
    assert.equal(brief(verdictOf("media-upload", 201, { mediaId: "null" })), UNREADABLE);
  });

  it("accepts success at any 2xx and at no other status", () => {
    for (const status of [200, 201, 202, 299]) {
      assert.equal(oauth({ statusCode: 2000, transferId: "t" }, status).outcome, "sent");
    }
    for (const status of [300, 302, 304, 400, 401, 404, 429, 500, 503]) {
      for (const statusCode of [2000, 2001]) {
        const verdict = json({ statusCode, transferId: "t" }, status);
        assert.equal(brief(verdict), `unknown ${statusCode} ANSWER_CONTRADICTORY`);
        assert.match(verdict.statusMessage, new RegExp(`HTTP ${status}, statusCode ${statusCode}`));
      }
    }
  });

  it("contradicts itself when a failure has a transferId, or a transferId has no code", () => {
    for (const statusCode of [4002, 4013, 4023, 5000, 5003, 4999, 6000]) {
      const verdict = json({ statusCode, transferId: "t-1" });
      assert.equal(brief(verdict), `unknown ${statusCode} ANSWER_CONTRADICTORY`);
      assert.equal(verdict.transferId, "t-1");
    }
    for (const status of [200, 400, 401, 429, 503]) {
      assert.equal(brief(json({ transferId: "t-1" }, status)), "unknown null ANSWER_CONTRADICTORY");
      assert.equal(brief(form("transferId=t-1", status)), "unknown null ANSWER_CONTRADICTORY");
    }
    for (const transferId of ["", null]) {
      assert.equal(json({ statusCode: 5003, transferId }).outcome, "retry-later");
    }
  });

  it("reads an unlisted 4xxx as rejected and any other code as unknown", () => {
    for (const code of [4029, 4999]) {
      assert.equal(brief(json({ statusCode: code })), `rejected ${code} CODE_${code}`);
    }
    for (const code of [2002, 1, 200, 3000, 5001, 6000, 99_999]) {
      assert.equal(brief(json({ statusCode: code })), `unknown ${code} CODE_${code}`);
    }
  });

  for (const [statusCode, statusMessage, parameter] of [
    [4019, "PARAMETER_MISSING: recipientAddressList", "recipientAddressList"],
    [4019, "Required parameter 'messageContent' not given", "messageContent"],
    [4019, "recipient is missing", null],
    [4019, "Parameter constructor missing", null],
    [4019, null, null],
    [4009, "messageContent", null],
  ] as const) {
    it(`names ${parameter ?? "no parameter"} after ${statusCode} with '${statusMessage}'`, () =>
      assert.equal(json({ statusCode, statusMessage }).parameter, parameter));
  }
});

describe("gateway verdict: form answers", () => {
  it("reads every field of a form", () => {
    const ids = "clientMessageId=order%2D7&transferId=00670e&smsCount=3";
    const verdict = form(`statusCode=2000&statusMessage=all+is%20well&${ids}\r\n`);
    assert.deepEqual([...idsOf(verdict), verdict.smsCount], ["sent", "00670e", "order-7", 3]);
    assert.equal(wordsOf(verdict), "all is well");
  });

  it("accepts a repeated field only when its values are equal", () => {
    assert.equal(form("statusCode=2000&statusCode=2000").outcome, "sent");
    assert.equal(brief(form("statusCode=4002&statusCode=2000")), UNREADABLE);
    assert.equal(brief(form("statusCode=2000&transferId=a&transferId=b")), UNREADABLE);
  });

  describe("by their character set", () => {
    const FORM = "application/x-www-form-urlencoded";
    const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
    const said = (text: Buffer | string, contentType?: string): string | undefined => {
      const parts = ["statusCode=4009&statusMessage=", text, "&x=1"].map((part) =>
        Buffer.from(part as string),
      );
      const headers = contentType === undefined ? {} : { "content-type": contentType };
      return wordsOf(verdictOf("sms-form", 200, Buffer.concat(parts), headers));
    };
    const cases: readonly [what: string, bytes: Buffer, contentType: string | undefined, read: string][] = [
      ["UTF-8 without a declared charset", Buffer.from("Grüße €"), undefined, "Grüße €"],
      ["Latin-1 without a declared charset", latin1("Grüße à"), undefined, "Grüße à"],
      ["declared Latin-1", latin1("Grüße à"), `${FORM}; charset=ISO-8859-1`, "Grüße à"],
      ["declared Latin-1 that looks like UTF-8", latin1("Ã¼"), `${FORM};charset="iso-8859-1"`, "Ã¼"],
      ["declared UTF-8", Buffer.from("ü€"), `${FORM};CHARSET=UTF-8`, "ü€"],
      ["UTF-8 that is none", latin1("Grüße"), `${FORM};charset=utf-8`, "Grüße"],
      ["an unknown character set", Buffer.from("ü"), `${FORM};charset=x-none`, "ü"],
    ];
    for (const [what, bytes, contentType, read] of cases) {
      it(`${what}, raw and percent-encoded`, () => {
        assert.equal(said(bytes, contentType), read);
        const percent = bytes.toString("hex").replace(/../g, "%$&");
        assert.equal(said(percent, contentType), read);
      });
    }
  });

  it("finds no code in a web page", () => {
    for (const page of [
      `<html><a href="/x?y=1&statusCode=2000&transferId=t">retry</a></html>`,
      `<!doctype html><title>a=b</title>&statusCode=2000`,
      "Error: statusCode=2000&statusCode=2000",
      "&statusCode=2000",
      `"statusCode=2000"`,
    ]) {
      assert.equal(brief(form(page)), UNREADABLE, page);
      assert.equal(brief(form(page, 401)), "denied null HTTP_401");
      assert.equal(brief(form(page, 502)), "unknown null HTTP_502");
    }
  });
});

describe("gateway verdict: values that are no code", () => {
  const odd = ["2000.5", "2e3", " 2000", "+2000", "-2000", "0x7d0", "2000x", "", "null", "NaN", "2,000"];
  for (const value of [...odd, "9".repeat(20)]) {
    it(`the text ${JSON.stringify(value)}`, () => {
      assert.equal(brief(json({ statusCode: value })), UNREADABLE);
      assert.equal(brief(form(`statusCode=${encodeURIComponent(value)}`)), UNREADABLE);
    });
  }

  for (const value of ["2000.5", "1e300", "[2000]", "true", "null", `{"a":2000}`, "9007199254740993"]) {
    it(`the JSON value ${value}`, () => {
      assert.equal(brief(json(`{"statusCode":${value}}`)), UNREADABLE);
      assert.equal(brief(json(`{"statusCode":${value}}`, 400)), "rejected null HTTP_400");
    });
  }

  for (const body of ["", "null", "[]", `[{"statusCode":2000}]`, "2000", `"2000"`, "{", "\0", "<html>"]) {
    it(`an answer ${JSON.stringify(body)}: the HTTP status decides`, () => {
      for (const read of [json, oauth]) {
        assert.deepEqual(
          [200, 302, 400, 429, 503].map((status) => brief(read(body, status))),
          [
            UNREADABLE,
            "denied null HTTP_302",
            "rejected null HTTP_400",
            "retry-later null HTTP_429",
            "unknown null HTTP_503",
          ],
        );
      }
    });
  }

  it("reads a bare 503 as not accepted only when the account has this setting", () => {
    const refused = (status: number, body: string): string =>
      verdictOf("sms-form", status, body, {}, true).outcome;
    assert.equal(refused(503, "<html>"), "retry-later");
    assert.equal(refused(503, "statusCode=5000"), "unknown");
    assert.equal(refused(502, "<html>"), "unknown");
    assert.equal(refused(503, "transferId=t"), "unknown");
  });
});

describe("gateway verdict: JSON with a repeated field", () => {
  const twice = [
    `{"statusCode":2000,"statusCode":4003}`,
    `{"statusCode":4003,"statusCode":2000,"transferId":"t"}`,
    `{"statusCode":2000,"statusCode":2000}`,
    `{"statusCode":null,"statusCode":2000}`,
    `{"status\\u0043ode":2000,"statusCode":4003}`,
    `{"statusCode":2000,"x":"\\"","\\u0073tatusCode":2000}`,
    `{"transferId":"t","transferId":null,"statusCode":4003}`,
  ];
  for (const body of twice) {
    it(`${body}: unknown at any HTTP status`, () => {
      for (const status of [200, 201, 302, 400, 401, 429, 503]) {
        for (const read of [json, oauth, form]) {
          const verdict = read(body, status);
          assert.equal(brief(verdict), UNREADABLE);
          assert.match(verdict.statusMessage, /(statusCode|transferId) twice\)$/);
        }
        assert.equal(verdictOf("sms-json", status, body, {}, true).outcome, "unknown");
      }
    });
  }

  const once = [
    `{"statusCode":2000,"transferId":"t","more":{"statusCode":4003}}`,
    `{"more":[{"statusCode":4003},{"statusCode":4004,"transferId":"x"}],"statusCode":2000,"transferId":"t"}`,
    `{"statusCode":2000,"transferId":"t","statusMessage":"\\"statusCode\\":4003"}`,
    `{"status\\u0043ode":2000,"transferId":"t","statuscode":4003}`,
  ];
  for (const body of once) {
    it(`${body}: sent`, () => {
      const verdict = json(body);
      assert.deepEqual([verdict.outcome, verdict.transferId], ["sent", "t"], verdict.statusMessage);
    });
  }
});

describe("gateway verdict: uploads and downloads", () => {
  const upload = (body: object, status = 201): Verdict => verdictOf("media-upload", status, body);

  it("reads the id of an upload as success", () => {
    const { outcome, data } = upload({ mediaId: UUID });
    assert.deepEqual([outcome, data], ["sent", { mediaId: UUID }]);
    assert.equal(upload({ mediaId: UUID }, 400).outcome, "rejected");
    assert.equal(upload({}).outcome, "unknown");
    assert.equal(upload({ mediaId: UUID, statusCode: 4034 }).outcome, "rejected");
  });

  it("accepts only a number or a text as an attachment's id", () => {
    for (const [attachmentId, data] of [
      [17, { attachmentId: 17 }],
      ["17", { attachmentId: 17 }],
      ["a-17", { attachmentId: "a-17" }],
      [{ a: 1 }, null],
      ["", null],
      [undefined, null],
    ] as const) {
      assert.deepEqual(verdictOf("attachment-create", 200, { statusCode: 2000, attachmentId }).data, data);
    }
  });

  it("reads a file as success, with any bytes", () => {
    const content = Buffer.from([0, 255, 0x7b]);
    const [contentType, contentDisposition] = ["image/png", `attachment; filename="a.png"`];
    const headers = { "content-type": contentType, "content-disposition": contentDisposition };
    const { outcome, data } = verdictOf("media-download", 200, content, headers);
    assert.deepEqual([outcome, data], ["sent", { content, contentType, contentDisposition }]);
    assert.equal(verdictOf("media-download", 404, { statusCode: 4034 }).outcome, "rejected");
    assert.equal(verdictOf("media-download", 404, "<html>").outcome, "denied");
  });

  it("repeats a download, but no send, unless the response itself is wrong", () => {
    const lost = (id: OperationId, fault: LocalFault): string =>
      judge(OPERATIONS[id], { fault, detail: "" }, false, NOW).outcome;
    const sends = ["sms-form", "sms-get", "whatsapp-text", "media-upload", "attachment-create"] as const;
    for (const fault of ["CONNECTION_LOST", "NO_ANSWER", "STOPPED_WAITING"] as const) {
      assert.equal(lost("media-download", fault), "retry-later");
      for (const id of sends) {
        assert.equal(lost(id, fault), "unknown", `${id} ${fault}`);
      }
    }
    assert.equal(lost("media-download", "ANSWER_UNREADABLE"), "unknown");
    assert.equal(verdictOf("media-download", 500, "").outcome, "retry-later");
    assert.equal(verdictOf("media-upload", 500, "").outcome, "unknown");
  });
});

describe("gateway verdict: the rest", () => {
  const waitOf = (value: string | string[]): number | null =>
    readRetryAfter({ status: 429, headers: { "retry-after": value }, body: Buffer.alloc(0) }, NOW);
  for (const [value, wait] of [
    ["0", 0],
    [" 120 ", 120_000],
    [["5", "7"], 5_000],
    ["Wed, 01 Jan 2025 00:00:30 GMT", 30_000],
    ["Wednesday, 01-Jan-25 00:00:30 GMT", 30_000],
    ["Tue, 31 Dec 2024 00:00:00 GMT", 0],
    ...["", "-5", "1.5", "soon 5", "later", "2025-02-02", "Wed, nonsense"].map(
      (text) => [text, null] as const,
    ),
  ] as [string | string[], number | null][]) {
    it(`reads ${wait} out of Retry-After ${JSON.stringify(value)}`, () => assert.equal(waitOf(value), wait));
  }
});
