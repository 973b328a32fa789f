import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  openContent,
  openSnapshot,
  sealRequest,
  sealSnapshot,
} from "../../../../../lib/runtime/store/outbox/sealed-message";
import type { NewRequest } from "../../../../../lib/store/jobs/jobs";

const KEY = randomBytes(32);
const OTHER = randomBytes(32);
const CONTENT = '{"messageContent":"1/2 Your code is 4711"}';

const requestOf = (part: number): NewRequest => ({
  part,
  operation: "sms-form",
  priority: 0,
  clientMessageId: "id",
  content: CONTENT,
  recipients: ["41790000001"],
});
const sealed = (part: number, parts = 3): string => sealRequest(KEY, "job a", parts, requestOf(part)).content;

describe("sealed message", () => {
  it("gives the content back to the request that it was taken for, and changes nothing else of it", () => {
    const { content, ...rest } = sealRequest(KEY, "job a", 3, requestOf(1));
    const { content: _, ...plain } = requestOf(1);
    assert.deepEqual(rest, plain);
    assert.doesNotMatch(content, /4711/);
    assert.equal(openContent(KEY, "job a", 1, content), CONTENT);
  });

  it("gives it to no other request, of this message or of another one", () => {
    for (const part of [0, 2]) {
      assert.equal(openContent(KEY, "job a", part, sealed(1)), null);
    }
    assert.equal(openContent(KEY, "job b", 1, sealed(1)), null);
    assert.equal(openContent(OTHER, "job a", 1, sealed(1)), null);
  });

  it("gives it to parts that were split off when it left, which come after those that were taken", () => {
    assert.equal(openContent(KEY, "job a", 3, sealed(1)), CONTENT);
    assert.equal(openContent(KEY, "job a", 40, sealed(0)), CONTENT);
    assert.equal(openContent(KEY, "job b", 3, sealed(1)), null);
    assert.equal(openContent(KEY, "job a", 1, sealed(0, 1)), CONTENT);
  });

  it("gives the snapshot back to its job, and to others what names nothing of the message", () => {
    const job = { key: "job a", snapshot: '{"msg":{"payload":"4711"}}' };
    const bare = '{"msg":null,"operation":"sms-form"}';
    const { key, snapshot } = sealSnapshot(KEY, job, bare);
    assert.equal(key, "job a");
    assert.ok(snapshot !== null);
    assert.doesNotMatch(snapshot, /4711/);
    assert.deepEqual(openSnapshot(KEY, "job a", snapshot), { text: job.snapshot, whole: true });
    const unread = { text: bare, whole: false };
    assert.deepEqual(openSnapshot(KEY, "job b", snapshot), unread);
    assert.deepEqual(openSnapshot(OTHER, "job a", snapshot), unread);
    assert.deepEqual(openSnapshot(null, "job a", snapshot), unread);
    assert.deepEqual(openSnapshot(KEY, "job a", sealed(0)), { text: "{}", whole: false });
    assert.equal(sealSnapshot(KEY, { key: "job a", snapshot: null }, bare).snapshot, null);
  });

  it("does not take a content for a snapshot of the same job", () => {
    assert.equal(openSnapshot(KEY, "job a", sealed(0)).whole, false);
    const { snapshot } = sealSnapshot(KEY, { key: "job a", snapshot: CONTENT }, "{}");
    assert.equal(openContent(KEY, "job a", 0, String(snapshot).split("\n")[0] ?? ""), null);
  });
});
