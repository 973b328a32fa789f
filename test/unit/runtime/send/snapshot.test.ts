import assert from "node:assert/strict";
import type { NodeAPI, NodeMessage } from "node-red";
import { NO_RULES } from "../../../../lib/store/guards/request-rules";
import { PartsStamp } from "../../../../lib/runtime/send/parts/part-messages";
import { readSnapshot, writeSnapshot } from "../../../../lib/runtime/send/snapshot";
import { writeMessage } from "../../../../lib/runtime/waits/wait-message";
import type { SendJob } from "../../../../lib/runtime/send/jobs/send-job";

const RED = {
  util: {
    generateId: () => "new-id",
    normalisePropertyExpression: (path: string) => path.split("."),
    setMessageProperty: (msg: Record<string, unknown>, path: string, value: unknown) => {
      msg[path] = value;
    },
  },
} as unknown as NodeAPI;
const send = (): void => {};
const PART = { index: 1, recipients: ["41790000001"], fault: null, invalid: false, rules: NO_RULES };

const jobOf = (msg: unknown, stamp: PartsStamp | null): SendJob =>
  ({
    msg: msg as NodeMessage,
    operation: "rcs",
    test: true,
    clientMessageId: "order-7",
    places: { list: "to", id: null },
    stamp,
  }) as unknown as SendJob;

/** A message behind an HTTP node, with what proves who asked. */
const withCredentials = () => ({
  _msgid: "m",
  payload: { headers: { authorization: "kept: the flow wrote it there" } },
  headers: {
    "Content-Type": "text/plain",
    Authorization: "Bearer hush-1",
    "x-api-key": "hush-2",
    cookie: "a=hush-3",
  },
  cookies: { session: { value: "hush-4" } },
  responseCookies: {},
  req: { headers: { authorization: "hush-5" }, ip: "192.0.2.1" },
  res: { token: "hush-6" },
});
const WITHOUT = {
  _msgid: "m",
  payload: { headers: { authorization: "kept: the flow wrote it there" } },
  headers: { "Content-Type": "text/plain" },
  responseCookies: {},
};

describe("credentials of HTTP requests", () => {
  const LOST = ["headers.Authorization", "headers.x-api-key", "headers.cookie", "cookies", "req", "res"];

  it("omits credentials from the snapshot of a message, and names them", () => {
    const { res: _, ...ofWebhook } = withCredentials();
    assert.deepEqual(
      writeSnapshot(jobOf(ofWebhook, null), [], 10_000).lost,
      LOST.filter((path) => path !== "req" && path !== "res"),
    );
    const { text, lost } = writeSnapshot(jobOf(withCredentials(), null), [], 10_000);
    assert.doesNotMatch(text, /hush/);
    assert.deepEqual((JSON.parse(text) as { msg: unknown }).msg, WITHOUT);
    assert.deepEqual(lost, LOST);
  });

  it("omits credentials from a waiting message in the store", () => {
    const { text, isWhole } = writeMessage(withCredentials() as unknown as NodeMessage, 10_000);
    assert.deepEqual([JSON.parse(text ?? ""), isWhole], [WITHOUT, false]);
  });
});

describe("snapshot of a message", () => {
  it("brings back message, group and ids of a list", () => {
    const msg = { _msgid: "m", payload: Buffer.from("x"), to: ["1", "2"], parts: { id: "outer" } };
    const stamp = new PartsStamp("group", 3, "result", msg.parts);
    const { text } = writeSnapshot(jobOf(msg, stamp), ["12"], 1_000);
    const { output, invalid } = readSnapshot(RED, text, send);
    assert.deepEqual(invalid, ["12"]);
    assert.deepEqual([output.operation, output.test, output.idOf(PART)], ["rcs", true, "order-7-2"]);
    assert.deepEqual(output.message(PART, "order-7-2"), {
      ...msg,
      to: PART.recipients,
      parts: { id: "group", index: 1, count: 3, type: "array", property: "result", parts: msg.parts },
    });
  });

  it("keeps only recipients and group of a message that is too long", () => {
    const long = { payload: "x".repeat(2_000) };
    const { text, tooLong } = writeSnapshot(
      jobOf(long, new PartsStamp("group", 3, "result", undefined)),
      [],
      1_000,
    );
    assert.equal(tooLong, true);
    assert.ok(text.length < 500);
    const { parts, payload, to } = readSnapshot(RED, text, send).output.message(
      PART,
      null,
    ) as unknown as Record<string, unknown>;
    assert.deepEqual([(parts as { id: string }).id, payload, to], ["group", undefined, PART.recipients]);
  });

  it("restores an empty message when its text is damaged", () => {
    for (const text of [null, "", "{", "null", '"text"', "{}", '{"msg":null}']) {
      const { output, invalid } = readSnapshot(RED, text, send);
      assert.deepEqual([output.message(PART, null), invalid], [{ _msgid: "new-id" }, []]);
    }
  });
});
