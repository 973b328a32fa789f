import assert from "node:assert/strict";
import type { Exchange } from "../../../../lib/gateway/http/exchange";
import { OPERATIONS, type OperationId } from "../../../../lib/gateway/contract/operations";
import { readRetryAfter } from "../../../../lib/gateway/codec/read-answer";
import { Redactor } from "../../../../lib/gateway/codec/redactor";
import { cleanVerdict, judge, localVerdict, type Verdict } from "../../../../lib/gateway/codec/verdict";
import { LOCAL_FAULTS, type LocalFault } from "../../../../lib/gateway/contract/local-outcomes";
import { adviceOf, meaningOf } from "../../../../lib/gateway/contract/outcome-texts";
import { say } from "../../../../lib/texts/say";

const NOW = Date.parse("2025-01-01T00:00:00Z");

function verdictOf(
  id: OperationId,
  status: number,
  body: string | Buffer | object,
  headers: Record<string, string | string[]> = {},
  refusedAt503 = false,
): Verdict {
  const bytes =
    Buffer.isBuffer(body) || typeof body === "string" ? Buffer.from(body as string) : JSON.stringify(body);
  const result: Exchange = { answer: { status, headers, body: Buffer.from(bytes) } };
  return judge(OPERATIONS[id], result, refusedAt503, NOW);
}

const form = (body: string | Buffer, status = 200): Verdict => verdictOf("sms-form", status, body);
const json = (body: string | object, status = 200): Verdict => verdictOf("sms-json", status, body);
const oauth = (body: string | object, status = 201): Verdict => verdictOf("whatsapp-text", status, body);
const brief = ({ outcome, statusCode, statusName }: Verdict): string =>
  `${outcome} ${statusCode} ${statusName}`;

describe("gateway verdict: the code decides", () => {
  it("over any HTTP status that does not contradict it", () => {
    for (const status of [200, 201, 202, 302, 400, 401, 403, 404, 408, 429, 500, 502, 503]) {
      assert.equal(brief(json({ statusCode: 4002 }, status)), "rejected 4002 INVALID_RECIPIENT");
      assert.equal(brief(json({ statusCode: 5003 }, status)), "retry-later 5003 SERVICE_UNAVAILABLE");
      assert.equal(brief(json({ statusCode: 5000 }, status)), "unknown 5000 INTERNAL_ERROR");
      assert.equal(json({ statusCode: 5003 }, status).httpStatus, status);
    }
  });

  it("by the style of the operation", () => {
    assert.equal(brief(json({ statusCode: 4001 })), "denied 4001 INVALID_CREDENTIALS");
    assert.equal(brief(oauth({ statusCode: 4001 }, 400)), "denied 4001 INVALID_APPLICATION");
    assert.equal(brief(json({ statusCode: 2001 })), "queued 2001 OK_QUEUED");
    assert.equal(brief(oauth({ statusCode: 2001 })), "unknown 2001 CODE_2001");
  });

  it("takes 2001 of the OAuth style for queued where a transferId comes with it, at any 2xx", () => {
    for (const status of [200, 201, 202]) {
      const verdict = oauth({ statusCode: 2001, transferId: "t-1" }, status);
      assert.equal(brief(verdict), "queued 2001 OK_QUEUED");
      assert.equal(verdict.transferId, "t-1");
    }
    for (const transferId of ["", null, "null", undefined]) {
      assert.equal(brief(oauth({ statusCode: 2001, transferId })), "unknown 2001 CODE_2001");
    }
    for (const status of [302, 400, 401, 500]) {
      const verdict = oauth({ statusCode: 2001, transferId: "t-1" }, status);
      assert.equal(brief(verdict), "unknown 2001 ANSWER_CONTRADICTORY");
    }
  });

  it("takes the word null for no id", () => {
    for (const read of [json, oauth]) {
      const refused = read({ statusCode: 4002, transferId: "null", clientMessageId: "null" }, 400);
      assert.deepEqual(
        [refused.outcome, refused.transferId, refused.clientMessageId],
        ["rejected", null, null],
      );
    }
    const refused = form("statusCode=5003&statusMessage=null&transferId=null&clientMessageId=null");
    assert.deepEqual(
      [refused.outcome, refused.transferId, refused.clientMessageId],
      ["retry-later", null, null],
    );
    assert.equal(refused.statusMessage, say("outcomes.legacy.5003.meaning"));
    const { transferId, clientMessageId } = form("statusCode=2000&transferId=null1&clientMessageId=NULL");
    assert.deepEqual([transferId, clientMessageId], ["null1", "NULL"]);
    assert.equal(
      brief(verdictOf("media-upload", 201, { mediaId: "null" })),
      "unknown null ANSWER_UNREADABLE",
    );
  });

  it("takes success at any 2xx, and at nothing else", () => {
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

  it("unless a failure comes with a transferId, or a transferId without a code", () => {
    for (const statusCode of [4002, 4013, 4023, 5000, 5003, 4999, 6000]) {
      const verdict = json({ statusCode, transferId: "t-1" });
      assert.equal(brief(verdict), `unknown ${statusCode} ANSWER_CONTRADICTORY`);
      assert.equal(verdict.transferId, "t-1");
    }
    for (const status of [200, 400, 401, 429, 503]) {
      assert.equal(brief(json({ transferId: "t-1" }, status)), "unknown null ANSWER_CONTRADICTORY");
      assert.equal(brief(form("transferId=t-1", status)), "unknown null ANSWER_CONTRADICTORY");
    }
    assert.equal(json({ statusCode: 5003, transferId: "" }).outcome, "retry-later");
    assert.equal(json({ statusCode: 5003, transferId: null }).outcome, "retry-later");
  });

  it("says what 4028 means for each kind of message", () => {
    const kinds = ["whatsapp-text", "whatsapp-media", "whatsapp-template", "rcs"] as const;
    const said = kinds.map((id) => verdictOf(id, 400, { statusCode: 4028 }).statusMessage);
    assert.deepEqual(said, [
      say("outcomes.oauth.4028.narrower.text"),
      say("outcomes.oauth.4028.narrower.media"),
      say("outcomes.oauth.4028.narrower.template"),
      say("outcomes.oauth.4028.narrower.rcs"),
    ]);
  });

  it("takes an unlisted 4xxx for rejected and any other for unknown, legacy 4029 included", () => {
    assert.equal(brief(json({ statusCode: 4029 })), "rejected 4029 CODE_4029");
    assert.equal(brief(json({ statusCode: 4999 })), "rejected 4999 CODE_4999");
    for (const code of [2002, 1, 200, 3000, 5001, 6000, 99_999]) {
      assert.equal(brief(json({ statusCode: code })), `unknown ${code} CODE_${code}`);
    }
  });

  it("keeps the service's own words beside the meaning, and its name out of them", () => {
    assert.match(json({ statusCode: 4009, statusMessage: "too odd" }).statusMessage, /\. \(too odd\)$/);
    assert.equal(
      json({ statusCode: 4009, statusMessage: "INVALID_TEXT" }).statusMessage,
      say("outcomes.legacy.4009.meaning"),
    );
  });

  it("takes a number for an id, and nothing else that is no text", () => {
    const { transferId, clientMessageId } = json({
      statusCode: 2000,
      transferId: 17,
      clientMessageId: ["a"],
    });
    assert.deepEqual([transferId, clientMessageId], ["17", null]);
  });

  it("names the parameter of a 4019 where it is one of the operation", () => {
    const named = (statusMessage: string | null): string | null =>
      json({ statusCode: 4019, statusMessage }).parameter;
    assert.equal(named("PARAMETER_MISSING: recipientAddressList"), "recipientAddressList");
    assert.equal(named("Required parameter 'messageContent' not given"), "messageContent");
    assert.equal(named("recipient is missing"), null);
    assert.equal(named("Parameter constructor missing"), null);
    assert.equal(named(null), null);
    assert.equal(json({ statusCode: 4009, statusMessage: "messageContent" }).parameter, null);
  });
});

describe("gateway verdict: form answers", () => {
  const ALL = {
    statusCode: "2000",
    statusMessage: "all+is%20well",
    clientMessageId: "order%2D7",
    transferId: "00670e",
    smsCount: "3",
  };

  it("reads the fields in any order", () => {
    const pairs = Object.entries(ALL).map(([name, value]) => `${name}=${value}`);
    for (let turn = 0; turn < pairs.length; turn++) {
      pairs.push(pairs.shift() as string);
      for (const body of [pairs.join("&"), [...pairs].reverse().join("&"), `${pairs.join("&")}\r\n`]) {
        const { outcome, transferId, clientMessageId, smsCount, statusMessage } = form(body);
        assert.deepEqual(
          [outcome, transferId, clientMessageId, smsCount],
          ["sent", "00670e", "order-7", 3],
          body,
        );
        assert.match(statusMessage, /\(all is well\)$/);
      }
    }
  });

  it("takes empty and absent fields for absent", () => {
    for (const body of ["statusCode=4002", "statusCode=4002&transferId=&clientMessageId=&smsCount="]) {
      const { outcome, transferId, clientMessageId, smsCount } = form(body);
      assert.deepEqual([outcome, transferId, clientMessageId, smsCount], ["rejected", null, null, null]);
    }
  });

  it("takes a field given twice only where it says the same twice", () => {
    assert.equal(form("statusCode=2000&statusCode=2000").outcome, "sent");
    assert.equal(brief(form("statusCode=4002&statusCode=2000")), "unknown null ANSWER_UNREADABLE");
    assert.equal(brief(form("statusCode=2000&transferId=a&transferId=b")), "unknown null ANSWER_UNREADABLE");
  });

  it("that say two things of one field are unknown at any HTTP status", () => {
    for (const status of [200, 302, 400, 401, 429, 503]) {
      assert.equal(brief(form("statusCode=4002&statusCode=4003", status)), "unknown null ANSWER_UNREADABLE");
      assert.match(form("statusCode=1&statusCode=2", status).statusMessage, /statusCode twice/);
    }
    assert.equal(verdictOf("sms-form", 503, "statusCode=1&statusCode=2", {}, true).outcome, "unknown");
  });

  describe("by their character set", () => {
    const said = (text: Buffer | string, contentType?: string): string => {
      const pair = Buffer.concat([
        Buffer.from("statusCode=4009&statusMessage="),
        Buffer.from(text as string),
      ]);
      const body = Buffer.concat([pair, Buffer.from("&x=1")]);
      const headers = contentType === undefined ? {} : { "content-type": contentType };
      const { statusMessage } = verdictOf("sms-form", 200, body, headers);
      return /^[^(]*\((.*)\)$/s.exec(statusMessage)?.[1] ?? statusMessage;
    };
    const FORM = "application/x-www-form-urlencoded";
    const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
    const percent = (bytes: Buffer): string =>
      [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
    const cases: readonly [what: string, bytes: Buffer, contentType: string | undefined, read: string][] = [
      ["UTF-8 without a declared charset", Buffer.from("Grüße €"), undefined, "Grüße €"],
      ["UTF-8 of a type without a character set", Buffer.from("Grüße €"), FORM, "Grüße €"],
      ["Latin-1 without a declared charset", latin1("Grüße à"), undefined, "Grüße à"],
      ["declared Latin-1", latin1("Grüße à"), `${FORM}; charset=ISO-8859-1`, "Grüße à"],
      ["declared Latin-1 that looks like UTF-8", latin1("Ã¼"), `${FORM};charset="iso-8859-1"`, "Ã¼"],
      ["all of Latin-1", latin1("\u00a0\u0085x"), `${FORM};charset=latin1`, "\u00a0\u0085x"],
      ["declared UTF-8", Buffer.from("ü€"), `${FORM};CHARSET=UTF-8`, "ü€"],
      ["UTF-8 that is none", latin1("Grüße"), `${FORM};charset=utf-8`, "Grüße"],
      ["Windows-1252", Buffer.from([0xfc]), `${FORM};charset=windows-1252`, "ü"],
      ["ISO-8859-15", Buffer.from([0xa4]), `${FORM};charset=ISO-8859-15`, "€"],
      ["an unknown character set", Buffer.from("ü"), `${FORM};charset=x-none`, "ü"],
      ["plain text", Buffer.from("all is well"), `${FORM};charset=ISO-8859-1`, "all is well"],
    ];
    for (const [what, bytes, contentType, read] of cases) {
      it(`${what}, raw and percent-encoded`, () => {
        assert.equal(said(bytes, contentType), read);
        assert.equal(said(percent(bytes), contentType), read);
      });
    }

    it("a letter of UTF-8 at the very end keeps its last byte", () => {
      const { clientMessageId } = form(Buffer.from("statusCode=4009&clientMessageId=à \r\n"));
      assert.equal(clientMessageId, "à");
    });

    it("JSON as UTF-8, or as what it is declared to be", () => {
      const body = { statusCode: 4009, statusMessage: "Grüße" };
      const read = (bytes: Buffer, contentType: string, id: OperationId = "sms-json"): string =>
        verdictOf(id, 200, bytes, { "content-type": contentType }).statusMessage;
      const text = JSON.stringify(body);
      for (const id of ["sms-json", "sms-form"] as const) {
        assert.match(read(Buffer.from(text), "application/json", id), /\(Grüße\)$/);
        assert.match(read(Buffer.from(`\uFEFF${text}`), "application/json", id), /\(Grüße\)$/);
        assert.match(read(latin1(text), "application/json;charset=ISO-8859-1", id), /\(Grüße\)$/);
        assert.match(read(latin1(text), "application/json", id), /\(Grüße\)$/);
      }
      const plain = JSON.stringify({ statusCode: 4009, statusMessage: "plain" });
      for (const json of [text, plain]) {
        const message = read(Buffer.from(json, "utf16le"), "application/json; charset=utf-16le");
        assert.match(message, /\((Grüße|plain)\)$/);
      }
    });
  });

  it("reads percent-encoded UTF-8 and Latin-1, and bytes that are neither", () => {
    const said = (encoded: string): string => form(`statusCode=4009&statusMessage=${encoded}`).statusMessage;
    assert.match(said("%C3%BC"), /\(ü\)$/);
    assert.match(said("%c3%bc"), /\(ü\)$/);
    assert.match(said("%FC"), /\(ü\)$/);
    assert.match(said("100%"), /\(100%\)$/);
    assert.match(said("%GG%2"), /\(%GG%2\)$/);
    assert.match(said("a=b=c"), /\(a=b=c\)$/);
    assert.match(said("ü raw"), /\(ü raw\)$/);
  });

  it("reads JSON there all the same, with a byte order mark too", () => {
    assert.equal(form(JSON.stringify({ statusCode: 2000, transferId: "t" })).transferId, "t");
    assert.equal(form(` \n{"statusCode":4002}`).outcome, "rejected");
    assert.equal(form(`\uFEFF{"statusCode":4002}`).outcome, "rejected");
    assert.equal(form("\uFEFFstatusCode=4002").outcome, "rejected");
    assert.equal(json(`\uFEFF{"statusCode":4002}`).outcome, "rejected");
  });

  it("finds no code in a web page", () => {
    const pages = [
      `<html><a href="/x?y=1&statusCode=2000&transferId=t">retry</a></html>`,
      `<!doctype html><title>a=b</title>&statusCode=2000`,
      "Error: statusCode=2000&statusCode=2000",
      "&statusCode=2000",
      `"statusCode=2000"`,
    ];
    for (const page of pages) {
      assert.equal(brief(form(page)), "unknown null ANSWER_UNREADABLE", page);
      assert.equal(brief(form(page, 401)), "denied null HTTP_401");
      assert.equal(brief(form(page, 502)), "unknown null HTTP_502");
    }
  });

  it("is not misled by names of objects in general", () => {
    assert.equal(form("statusCode=2000&__proto__=1&constructor=2&hasOwnProperty=3").outcome, "sent");
    assert.equal(brief(form("__proto__=statusCode&toString=2000")), "unknown null ANSWER_UNREADABLE");
  });
});

describe("gateway verdict: what is no code", () => {
  const odd = [
    "2000.5",
    "2e3",
    " 2000",
    "+2000",
    "-2000",
    "0x7d0",
    "2000x",
    "",
    "null",
    "9".repeat(20),
    "NaN",
    "2,000",
  ];
  for (const value of odd) {
    it(`the text ${JSON.stringify(value)}`, () => {
      assert.equal(brief(json({ statusCode: value })), "unknown null ANSWER_UNREADABLE");
      assert.equal(brief(form(`statusCode=${encodeURIComponent(value)}`)), "unknown null ANSWER_UNREADABLE");
    });
  }

  for (const value of ["2000.5", "1e300", "[2000]", "true", "null", `{"a":2000}`, "9007199254740993"]) {
    it(`the JSON value ${value}`, () => {
      assert.equal(brief(json(`{"statusCode":${value}}`)), "unknown null ANSWER_UNREADABLE");
      assert.equal(brief(json(`{"statusCode":${value}}`, 400)), "rejected null HTTP_400");
    });
  }

  it("yet takes a whole number however JSON writes it", () => {
    for (const value of ["2000", `"2000"`, "2000.0", "2e3"]) {
      assert.equal(json(`{"statusCode":${value},"transferId":"t"}`).outcome, "sent", value);
    }
    assert.equal(brief(json({ statusCode: -2000 })), "unknown -2000 CODE_-2000");
  });

  for (const body of ["", "null", "[]", `[{"statusCode":2000}]`, "2000", `"2000"`, "{", "\0", "<html>"]) {
    it(`an answer ${JSON.stringify(body)}: the HTTP status decides`, () => {
      for (const read of [json, oauth]) {
        assert.equal(brief(read(body, 200)), "unknown null ANSWER_UNREADABLE");
        assert.equal(brief(read(body, 302)), "denied null HTTP_302");
        assert.equal(brief(read(body, 400)), "rejected null HTTP_400");
        assert.equal(brief(read(body, 429)), "retry-later null HTTP_429");
        assert.equal(brief(read(body, 503)), "unknown null HTTP_503");
      }
    });
  }

  it("a 503 alone is not accepted where the account says so, and only then", () => {
    assert.equal(verdictOf("sms-form", 503, "<html>", {}, true).outcome, "retry-later");
    assert.equal(verdictOf("sms-form", 503, "statusCode=5000", {}, true).outcome, "unknown");
    assert.equal(verdictOf("sms-form", 502, "<html>", {}, true).outcome, "unknown");
    assert.equal(verdictOf("sms-form", 503, "transferId=t", {}, true).outcome, "unknown");
  });
});

describe("gateway verdict: JSON that says one thing twice", () => {
  const twice = [
    `{"statusCode":2000,"statusCode":4003}`,
    `{"statusCode":4003,"statusCode":2000,"transferId":"t"}`,
    `{"statusCode":2000,"statusCode":2000}`,
    `{"statusCode":null,"statusCode":2000}`,
    `{"statusCode":{"a":[1,"}"]},"statusCode":2000}`,
    `{"status\\u0043ode":2000,"statusCode":4003}`,
    `{"statusCode":2000,"x":"\\"","\\u0073tatusCode":2000}`,
    `{ "statusCode" : 2000 , "a" : [ { "b" : 1 } , 2 ] , "statusCode" : 2000 }`,
    `{"transferId":"t","transferId":null,"statusCode":4003}`,
  ];
  for (const body of twice) {
    it(`${body}: unknown at any HTTP status`, () => {
      for (const status of [200, 201, 302, 400, 401, 429, 503]) {
        for (const read of [json, oauth, form]) {
          const verdict = read(body, status);
          assert.equal(brief(verdict), "unknown null ANSWER_UNREADABLE");
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
    `{"statusCode":2000,"transferId":"t","x":"statusCode","y":["statusCode","transferId"]}`,
    `{"x":"\\\\","statusCode":2000,"transferId":"t"}`,
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
  const MEDIA = "123e4567-e89b-12d3-a456-426614174000";

  it("an upload's id says that it worked", () => {
    const created = verdictOf("media-upload", 201, { mediaId: MEDIA });
    assert.deepEqual([created.outcome, created.data], ["sent", { mediaId: MEDIA }]);
    assert.equal(verdictOf("media-upload", 400, { mediaId: MEDIA }).outcome, "rejected");
    assert.equal(verdictOf("media-upload", 201, {}).outcome, "unknown");
    assert.equal(verdictOf("media-upload", 201, { mediaId: MEDIA, statusCode: 4034 }).outcome, "rejected");
  });

  it("has no code where the service gave none, and says what happened all the same", () => {
    const upload = verdictOf("media-upload", 201, { mediaId: MEDIA });
    const download = verdictOf("media-download", 200, Buffer.from("x"));
    for (const { outcome, statusCode, statusName, statusMessage, advice, source } of [upload, download]) {
      assert.deepEqual([outcome, statusCode, statusName, source], ["sent", null, "OK", "service"]);
      assert.equal(statusMessage, "The file was transferred.");
      assert.doesNotMatch(advice, /report|event/);
    }
    const coded = verdictOf("media-upload", 201, { mediaId: MEDIA, statusCode: 2000 });
    assert.deepEqual([coded.outcome, coded.statusCode], ["sent", 2000]);
    const withTransfer = verdictOf("media-upload", 201, { mediaId: MEDIA, transferId: "t" });
    assert.deepEqual([withTransfer.outcome, withTransfer.transferId], ["sent", "t"]);
  });

  it("an attachment's id is a number or a text, nothing else", () => {
    const data = (attachmentId: unknown): unknown =>
      verdictOf("attachment-create", 200, { statusCode: 2000, attachmentId }).data;
    assert.deepEqual(data(17), { attachmentId: 17 });
    assert.deepEqual(data("17"), { attachmentId: 17 });
    assert.deepEqual(data("a-17"), { attachmentId: "a-17" });
    assert.equal(data({ a: 1 }), null);
    assert.equal(data(""), null);
    assert.equal(data(undefined), null);
  });

  it("a file is its own success, whatever its bytes", () => {
    const bytes = Buffer.from([0, 255, 0x7b]);
    const headers = { "content-type": "image/png", "content-disposition": `attachment; filename="a.png"` };
    const { outcome, data } = verdictOf("media-download", 200, bytes, headers);
    assert.equal(outcome, "sent");
    assert.deepEqual(data, {
      content: bytes,
      contentType: "image/png",
      contentDisposition: `attachment; filename="a.png"`,
    });
    assert.equal(verdictOf("media-download", 404, { statusCode: 4034 }).outcome, "rejected");
    assert.equal(verdictOf("media-download", 404, "<html>").outcome, "denied");
  });

  it("a download may be repeated where a send may not, unless the answer itself is at fault", () => {
    const lost = (id: OperationId, fault: LocalFault): string =>
      judge(OPERATIONS[id], { fault, detail: "" }, false, NOW).outcome;
    for (const fault of ["CONNECTION_LOST", "NO_ANSWER", "STOPPED_WAITING"] as const) {
      assert.equal(lost("media-download", fault), "retry-later");
      for (const id of [
        "sms-form",
        "sms-get",
        "whatsapp-text",
        "media-upload",
        "attachment-create",
      ] as const) {
        assert.equal(lost(id, fault), "unknown", `${id} ${fault}`);
      }
    }
    assert.equal(lost("media-download", "ANSWER_UNREADABLE"), "unknown");
    assert.equal(verdictOf("media-download", 500, "").outcome, "retry-later");
    assert.equal(verdictOf("media-upload", 500, "").outcome, "unknown");
  });
});

describe("gateway verdict: the rest", () => {
  it("names every local fault with its outcome, meaning and detail, and nothing of the service", () => {
    for (const fault of Object.keys(LOCAL_FAULTS) as LocalFault[]) {
      const { name, outcome } = LOCAL_FAULTS[fault];
      const meaning = meaningOf(LOCAL_FAULTS[fault]);
      assert.equal(name, fault);
      const verdict = localVerdict(fault, "why", 2);
      const { statusCode, httpStatus, transferId, source, attempts } = verdict;
      assert.deepEqual(
        [statusCode, httpStatus, transferId, source, attempts],
        [null, null, null, "local", 2],
      );
      assert.equal(verdict.outcome, outcome);
      assert.equal(verdict.advice, adviceOf(LOCAL_FAULTS[fault]));
      assert.equal(verdict.statusMessage, `${meaning} (why)`);
      assert.equal(localVerdict(fault).statusMessage, meaning);
    }
  });

  it("reads Retry-After in seconds and as a date, and nothing into anything else", () => {
    const wait = (value: string | string[]): number | null =>
      readRetryAfter({ status: 429, headers: { "retry-after": value }, body: Buffer.alloc(0) }, NOW);
    assert.equal(wait("0"), 0);
    assert.equal(wait(" 120 "), 120_000);
    assert.equal(wait(["5", "7"]), 5_000);
    assert.equal(wait("Wed, 01 Jan 2025 00:00:30 GMT"), 30_000);
    assert.equal(wait("Wednesday, 01-Jan-25 00:00:30 GMT"), 30_000);
    assert.equal(wait("Tue, 31 Dec 2024 00:00:00 GMT"), 0);
    assert.ok(Number(wait("99999999999")) > 1e12, "a very long wait stays one");
    for (const nothing of ["", "-5", "1.5", "soon 5", "later", "2025-02-02", "Wed, nonsense"]) {
      assert.equal(wait(nothing), null, nothing);
    }
    assert.equal(verdictOf("sms-form", 429, "", { "retry-after": "3" }).retryAfter, 3_000);
  });

  it("masks secrets in every text that the service could have put them into", () => {
    const redactor = new Redactor();
    redactor.add("hunter2!");
    const body = {
      statusCode: 2000,
      statusMessage: "hunter2!",
      transferId: "t-hunter2!",
      clientMessageId: "hunter2!-1",
      attachmentId: "hunter2!",
    };
    const cleaned = cleanVerdict(verdictOf("attachment-create", 200, body), redactor);
    assert.ok(!JSON.stringify(cleaned).includes("hunter2"), JSON.stringify(cleaned));
    assert.equal(cleaned.transferId, "t-•••");
    const file = cleanVerdict(verdictOf("media-download", 200, Buffer.from("hunter2!")), redactor);
    assert.equal(String(file.data?.content), "hunter2!", "a file's bytes are the user's");
  });
});
