import assert from "node:assert/strict";
import { OPERATIONS, type OperationId } from "../../../../lib/gateway/contract/operations";
import { prepareRequest } from "../../../../lib/gateway/codec/prepare-request";
import { FieldError } from "../../../../lib/shared/messaging-error";
import { UUID } from "../../../support/gateway/gateway-settings";
import * as contract from "../../contract/contract-fixture";

/** A character that counts as one and is two UTF-16 units long. */
const WIDE = "\u{1F600}";

/** Every field of each operation with a good value. */
const GOOD: Readonly<Record<string, unknown>> = {
  recipientAddressList: ["41791234567"],
  messageContent: "x",
  clientMessageId: "order-7",
  contentCategory: "informational",
  maxSmsPerMessage: 3,
  messageType: "voice",
  notificationCallbackUrl: "https://example.com/report?x=1",
  priority: 5,
  sendAsFlashSms: true,
  senderAddress: "SENDER",
  senderAddressType: "alphanumeric",
  test: false,
  validityPeriode: 3600,
  attachmentId: 17,
  applicationId: UUID,
  recipient: "+41791234567",
  content: "x",
  mediaId: UUID,
  templateName: "welcome",
  templateLocale: "de",
  localizableParams: [{ default: "a" }],
  rcsPayload: { RCSMessage: { textMessage: "x" }, messageContact: { userContact: "+41791234567" } },
  file: { data: new Uint8Array([1]), name: "a.png", type: "image/png" },
  grant_type: "client_credentials",
  scope: "messaging:whatsapp",
};

const goodFields = (fact: contract.OperationFact): Record<string, unknown> =>
  Object.fromEntries(fact.fields.map(({ name }) => [name, GOOD[name]]));

/** Why an operation refuses fields, or null. */
function fault(id: OperationId, fields: Record<string, unknown>): FieldError | null {
  try {
    prepareRequest(OPERATIONS[id], fields, { paths: {}, restPrefix: false });
    return null;
  } catch (error) {
    assert.ok(error instanceof FieldError, String(error));
    return error;
  }
}

interface Asker {
  accepts(...values: readonly unknown[]): void;
  /** Refused by the field's name, and where `saying` is given with that limit in the text. */
  refuses(values: readonly unknown[], saying?: string, code?: string): void;
}

/** Puts values into one field among good ones. */
function askerOf(fact: contract.OperationFact, name: string): Asker {
  const faultOf = (value: unknown) => fault(fact.id, { ...goodFields(fact), [name]: value });
  return {
    accepts: (...values) => {
      for (const value of values) {
        assert.equal(faultOf(value), null, `${name}: ${String(value)}`);
      }
    },
    refuses: (values, saying = "", code = "FIELD_INVALID") => {
      for (const value of values) {
        const error = faultOf(value) ?? assert.fail(`${name} takes ${JSON.stringify(value)?.slice(0, 60)}`);
        assert.deepEqual([error.code, error.field.split(/[.[]/)[0]], [code, name]);
        assert.ok(error.message.startsWith(error.field), error.message);
        assert.ok(error.message.includes(saying), error.message);
      }
    },
  };
}

type Check = (ask: Asker, field: contract.FieldFact, fact: contract.OperationFact) => void;

/** One check for each type of the fixture: just inside and just outside of its limits. */
const CHECKS: Readonly<Record<contract.FieldType, Check>> = {
  string: ({ accepts, refuses }, { limits, required }, fact) => {
    refuses([7, true, null, ["x"], { x: 1 }]);
    if (limits.values) {
      accepts(...limits.values);
      refuses(["other", "", limits.values[0]?.toUpperCase(), ` ${limits.values[0]}`]);
      return;
    }
    // Nothing else fits into a Latin-1 form, whatever the field.
    const oneByte = fact.requestEncoding.endsWith("latin1");
    const max = limits.maxLength;
    accepts("ü", ...(oneByte ? ["ÿ".repeat(5000)] : ["€", WIDE]));
    if (oneByte) {
      refuses(["a€", WIDE, "\ud800"], "", "TEXT_NOT_LATIN1");
    } else {
      accepts("a\\ud83d", `${WIDE}\\ud800${WIDE}`);
      refuses(["\ud83d", "\ud83dx", "\ude00\ud83d"], "at position 1");
      refuses([`a${WIDE}\ude00`, `${WIDE}b\ud83d${WIDE}`], "at position 3");
    }
    if (required) {
      refuses([""]);
    }
    if (max !== undefined) {
      accepts("x".repeat(max), WIDE.repeat(max));
      refuses(["x".repeat(max + 1), WIDE.repeat(max + 1)], String(max));
    }
  },
  uuid: ({ accepts, refuses }) => {
    accepts(UUID, UUID.toUpperCase());
    refuses(["", `${UUID}0`, UUID.slice(1), UUID.replaceAll("-", ""), `${UUID}\n`, 7, null]);
  },
  msisdn: ({ accepts, refuses }) => {
    accepts("+41791", "+123456789012345");
    const bad = ["41791234567", "+0791234567", "+4179", "+1234567890123456", "+41 791", "", 4179, null];
    refuses([...bad, "+41791234567\n", ["+41791234567"]]);
  },
  "msisdn-list": ({ accepts, refuses }, { limits }) => {
    const max = limits.maxEntries ?? 0;
    const numbers = Array.from({ length: max + 1 }, (_, at) => String(41_790_000_000 + at));
    accepts(["41791"], ["123456789012345"], numbers.slice(1));
    refuses([numbers], String(max));
    const bad = ["+41791234567", "0791234567", "4179", "1234567890123456", "", 41_791_234_567, null];
    refuses([[], "41791234567", null, {}, ...bad.map((entry) => ["41791234567", entry])]);
  },
  url: ({ accepts, refuses }) => {
    accepts("https://a.example", "http://a.example/b?c=d");
    refuses(["", "a.example", "ftp://a.example", "https://", "javascript:alert(1)", 7, null]);
  },
  integer: ({ accepts, refuses }, { limits: { min = 0, max, unit } }) => {
    accepts(min, max ?? 1_000_000);
    refuses([min - 1, min + 0.5, `${min}`, Number.NaN, Number.POSITIVE_INFINITY, true, null]);
    if (max !== undefined) {
      refuses([max + 1], `${max} ${unit}`);
    }
  },
  boolean: ({ accepts, refuses }) => {
    accepts(true, false);
    refuses(["true", "false", 0, 1, null, ""]);
  },
  object: ({ accepts, refuses }, { name, limits }) => {
    const whole = GOOD[name] as Record<string, unknown>;
    refuses([null, "x", []]);
    for (const key of limits.keys ?? []) {
      const { [key]: _left, ...rest } = whole;
      refuses([rest, ...[null, "x", []].map((value) => ({ ...whole, [key]: value }))]);
      accepts({ ...whole, [key]: {} });
    }
  },
  "object-list": ({ accepts, refuses }, { limits }) => {
    const max = limits.maxValueLength ?? 0;
    const entry = (value: unknown) => ({ default: value });
    accepts([], [entry(" ")], [entry("x".repeat(max))], [entry(WIDE.repeat(max))]);
    refuses([[entry("x".repeat(max + 1))], [entry(WIDE.repeat(max + 1))]], String(max));
    refuses([[entry("")], [entry("a"), entry("")]], "must not be empty");
    const half = "number 2 contains half of a character (U+D83D) at position 3";
    refuses([[entry("a"), entry("ab\ud83d")]], half);
    refuses([[entry("a\nb")], [entry("a\rb")]], "line break");
    refuses([[{}], [{ other: "a" }], [{ default: "a", other: "b" }], [entry(7)], [entry(null)]]);
    refuses([["a"], { default: "a" }, "a", null]);
    // All values together are a lower bound of the whole message.
    accepts(Array(4).fill(entry("x".repeat(1024))));
    refuses([[...Array(4).fill(entry("x".repeat(1024))), entry("y")]], "4096");
  },
  "scope-list": ({ accepts, refuses }, { limits }) => {
    accepts(...(limits.values ?? []), limits.values?.join(" "));
    refuses(["", 7, null]);
  },
  file: ({ accepts, refuses }) => {
    const file = { data: Buffer.from("x"), name: "a b.png", type: "image/png" };
    accepts(file, { ...file, data: new Uint8Array(0) });
    const badNames = ["", undefined, "a\ud83d.png"].map((bad) => ({ name: bad }));
    const changes = [{ data: "x" }, { data: [1] }, ...badNames, { type: "" }, { more: 1 }];
    refuses([...changes.map((change) => ({ ...file, ...change })), null, "x", Buffer.from("x")]);
  },
};

describe("gateway request schemas", () => {
  it("accepts every field of an operation at once, and the required ones alone", () => {
    for (const fact of contract.operations) {
      assert.equal(fault(fact.id, goodFields(fact)), null);
      const required = fact.fields.filter((field) => field.required).map(({ name }) => [name, GOOD[name]]);
      assert.equal(fault(fact.id, Object.fromEntries(required)), null);
    }
  });

  it("refuses fields of other operations, misspelled ones and those of all objects", () => {
    for (const fact of contract.operations) {
      const own = new Set(fact.fields.map(({ name }) => name));
      const others = Object.keys(GOOD).filter((name) => !own.has(name));
      for (const name of [...others, "Test", "validityPeriod", "constructor"]) {
        const error = fault(fact.id, { ...goodFields(fact), [name]: GOOD[name] ?? "x" });
        assert.equal(error?.field, name);
        assert.match(error?.message ?? "", /is not a field of this operation/);
      }
    }
  });

  it("keeps each field of each operation to its limits", () => {
    for (const fact of contract.operations) {
      for (const field of fact.fields) {
        const { [field.name]: _left, ...without } = goodFields(fact);
        const missing = fault(fact.id, without);
        assert.equal(missing?.field, field.required ? field.name : undefined);
        CHECKS[field.type](askerOf(fact, field.name), field, fact);
      }
    }
  });
});
