import assert from "node:assert/strict";
import { AccountMemory } from "../../../../lib/runtime/memory/account-memory";
import { inboundText } from "../../../../lib/runtime/store/event-fields";
import { MemoryEventBook } from "../../../../lib/runtime/webhook/memory-event-book";
import type { NewWait } from "../../../../lib/store/waits/wait";
import type { EventKind } from "../../../../lib/webhook/classify-event";
import type { LedgerEntry } from "../../../../lib/webhook/event-ledger";
import {
  APPLICATION_ID,
  deliveryReport,
  inboundMessage,
  inboundSms,
  statusMessage,
} from "../../../support/http/webhook-events";

const ADA = "41790000001";

let tests = 0;

/** The book of a new account, and a message of it that waits. */
function setUp() {
  const id = `memory-event-book-${tests++}`;
  const { contacts, waits } = AccountMemory.of(id);
  const book = (receiver = `${id}-webhook`): MemoryEventBook => new MemoryEventBook(receiver, id);
  const begin = (kind: NewWait["kind"]) =>
    waits.begin({
      key: `${id} ${kind}`,
      account: id,
      node: "n",
      resultOwner: "",
      kind,
      channel: "any",
      transferId: "00670eb55d00349e1111",
      clientMessageId: "order-7",
      recipients: [ADA],
      until: Date.now() + 60_000,
      group: null,
      repeated: false,
      snapshot: null,
    });
  const reported = async () =>
    (await waits.reported("", 9, ["n"])).flatMap(({ wait: { kind }, reported: ends }) =>
      ends.map(({ status, at }) => [kind, status, new Date(at).toISOString()]),
    );
  const replies = async () =>
    (await waits.replies("", 9, ["n"])).map(({ body }) => inboundText(JSON.parse(body)));
  return { book, reported, replies, begin, contacts };
}

const entry = (
  kind: EventKind,
  payload: Record<string, unknown>,
  more: Partial<LedgerEntry> = {},
): LedgerEntry => {
  const sender = String(payload.senderAddress ?? payload.sender);
  return { kind, key: "k", unique: true, sender, payload, bytes: 100, optOut: null, ...more };
};

describe("MemoryEventBook", () => {
  it("brings statuses and reports to the messages that wait, with their time", async () => {
    const { book, reported, begin } = setUp();
    await begin("delivered");
    await begin("read");
    book().enter(entry("report", deliveryReport(), { key: "1" }));
    book().enter(entry("status", statusMessage({ messageStatus: "Read" }), { key: "2" }));
    assert.deepEqual(await reported(), [
      ["delivered", "delivered", "2026-01-15T18:33:03.000Z"],
      ["read", "read", "2026-01-15T18:33:03.000Z"],
    ]);
  });

  it("counts copies of an event with a key once, also at another webhook of the account", async () => {
    const { book, replies, begin } = setUp();
    await begin("reply");
    for (const webhook of [book(), book(), book("another webhook")]) {
      webhook.enter(entry("inbound", inboundSms({ textMessageContent: "yes" }))).sentBack();
    }
    assert.deepEqual(await replies(), ["yes"]);
    book().enter(entry("inbound", inboundSms({ textMessageContent: "yes" }), { key: "k2" }));
    assert.deepEqual(await replies(), ["yes", "yes"]);
  });

  it("counts equal messages without a key as often as they come, but for those that were sent back", async () => {
    const { book, replies, begin } = setUp();
    await begin("reply");
    const yes = entry("inbound", inboundMessage(), { unique: false });
    const first = book().enter(yes);
    book().enter(yes);
    assert.equal((await replies()).length, 2);
    first.sentBack();
    // The redelivery, sent back again, and once more.
    book().enter(yes).sentBack();
    book().enter(yes);
    assert.equal((await replies()).length, 2);
    book().enter(yes);
    assert.equal((await replies()).length, 3);
  });

  it("notes when people wrote, by channel and application", async () => {
    const { book, contacts } = setUp();
    const before = Date.now();
    book().enter(entry("inbound", inboundMessage(), { key: "1" }));
    book().enter(entry("inbound", inboundMessage({ sender: "user@messenger" }), { key: "2" }));
    book().enter(entry("inbound", inboundMessage({ type: "telegram" }), { key: "3" }));
    book().enter(entry("status", statusMessage({ sender: "+41790000002" }), { key: "4" }));
    const at = await contacts.lastInbound("whatsapp", APPLICATION_ID, [ADA, "41790000002"]);
    assert.deepEqual([...at.keys()], [ADA]);
    assert.ok((at.get(ADA) ?? 0) >= before);
    assert.equal((await contacts.lastInbound("sms", "", [ADA])).size, 0);
    book().enter(entry("inbound", inboundSms(), { key: "5" }));
    assert.equal((await contacts.lastInbound("sms", "", [ADA])).size, 1);
  });
});
