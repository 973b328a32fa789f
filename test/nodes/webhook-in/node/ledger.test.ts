import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeMessage } from "node-red";
import { RawPost } from "../../../support/http/raw-post";
import {
  deliveryReport,
  inboundMessage,
  inboundSms,
  statusMessage,
} from "../../../support/http/webhook-events";
import { waitFor } from "../../../support/wait-for";
import { ACCOUNT, useStoredWebhook } from "./stored-webhook";
import { ACK, ACKNOWLEDGED, eventOf, PATH, post, WEBHOOK } from "./webhook-flow";

const NUMBER = "41790000001";

describe("events of an account with a store", () => {
  const { webhook, folder, start, store: theStore } = useStoredWebhook({ kind: "status" });

  /** A message that is leaving. */
  const take = async (clientMessageId: string, recipients: readonly string[]): Promise<number> => {
    const { account, store, instances } = await theStore();
    const id = await store.ids.one();
    await store.jobs.accept(
      {
        id,
        account,
        destination: "",
        node: "n-sms",
        resultOwner: instances.id,
        channel: "SMS",
        snapshot: null,
      },
      [{ part: 0, operation: "sms-json", priority: 0, clientMessageId, content: "{}", recipients }],
    );
    await store.claims.claim(account, instances.id, 1);
    return id;
  };
  /** A message that has left and whose outcome is known, or not. */
  const sent = async (clientMessageId: string, outcome: "sent" | "unknown" | null): Promise<number> => {
    const id = await take(clientMessageId, [NUMBER]);
    if (outcome !== null) {
      await settle(id, outcome);
    }
    return id;
  };
  const settle = async (id: number, outcome: "sent" | "unknown"): Promise<void> => {
    const { store, instances } = await theStore();
    const transferId = outcome === "sent" ? `t${id}` : null;
    await store.settlements.settle(instances.id, [
      { id, outcome, transferId, attempts: 1, answer: "{}", emitted: true },
    ]);
  };
  const ledgerOf = async (clientMessageId: string) => {
    const { store } = await theStore();
    const [entry] = await store.history.search({ clientMessageId }, null, 1);
    return entry && { outcome: entry.outcome, by: entry.settledBy, delivery: entry.delivery };
  };
  const eventsOf = async (request: number) =>
    (await theStore()).store.history.recipientEvents(request, 0, 100);
  const replies = async () => (await theStore()).store.history.replies(ACCOUNT, NUMBER, 0, 100);
  const decide = (msg: NodeMessage | undefined): void => webhook.flow.node(ACK).receive(msg);
  const aboutOrder = (fields = {}) =>
    statusMessage({ transferId: "t-of-order", clientMessageId: "order-7", ...fields });

  it("are in the ledger before the flow gets them", async () => {
    const { url, ports, node } = await start();
    const id = await sent("order-7", "sent");
    let inLedger: Promise<unknown> | null = null;
    node("port0").on("input", () => {
      inLedger = eventsOf(id);
    });
    assert.deepEqual(await post(url + PATH, aboutOrder({ transferId: `t${id}` })), ACKNOWLEDGED);
    const [msg] = await ports[0]!.until(1);
    assert.deepEqual(eventOf(msg), {
      kind: "status",
      key: eventOf(msg).key,
      possibleDuplicate: false,
      simulated: false,
      channel: "sms",
      message: { request: id, node: "n-sms", outcome: "sent", wasUnknown: false },
    });
    const [event, ...others] = (await (inLedger as unknown as Promise<unknown[]>)) as Record<
      string,
      unknown
    >[];
    assert.deepEqual(others, []);
    assert.deepEqual(
      { ...event, receivedAt: 0 },
      {
        kind: "status",
        number: NUMBER,
        status: "delivered",
        at: Date.parse("2026-01-15T20:33:03.000+02:00"),
        receivedAt: 0,
        body: null,
      },
    );
  });

  it("settle an unknown message, and the flow is told so", async () => {
    const { url, ports } = await start();
    const id = await sent("order-7", "unknown");
    await post(url + PATH, aboutOrder());
    assert.deepEqual(await ledgerOf("order-7"), { outcome: "sent", by: "event", delivery: "delivered" });
    const [msg] = await ports[0]!.until(1);
    const { message } = eventOf(msg);
    assert.deepEqual(message, { request: id, node: "n-sms", outcome: "sent", wasUnknown: true });
  });

  it("settle a message that becomes unknown after them", async () => {
    const { url, ports } = await start();
    const id = await sent("order-7", null);
    await post(url + PATH, aboutOrder());
    const [msg] = await ports[0]!.until(1);
    const message = { request: id, node: "n-sms", outcome: null, wasUnknown: false };
    assert.deepEqual(eventOf(msg).message, message);
    await settle(id, "unknown");
    assert.deepEqual(await ledgerOf("order-7"), { outcome: "sent", by: "event", delivery: "delivered" });
  });

  it("of a list move the recipient that a report names", async () => {
    const { url } = await start();
    const id = await take("order-7", ["41790000002", NUMBER]);
    await settle(id, "sent");
    await post(url + PATH, deliveryReport({ senderAddress: `+${NUMBER}`, transferId: `t${id}` }));
    const { store } = await theStore();
    assert.deepEqual(
      (await store.deliveries.ofRequest(id, -1, 10)).map(({ status }) => status),
      [null, "delivered"],
    );
  });

  it("that are replies are there with their number, and with their text only where texts are kept", async () => {
    for (const keepTexts of [false, true]) {
      const { url, ports } = await start({ webhook: { kind: "inbound" } }, { keepTexts });
      assert.deepEqual(
        await post(url + PATH, inboundSms({ notificationId: `reply ${keepTexts}` })),
        ACKNOWLEDGED,
      );
      await ports[0]!.until(1);
      const body = (await replies()).at(-1)?.body ?? null;
      assert.deepEqual(
        body === null ? null : (JSON.parse(body) as { textMessageContent: string }).textMessageContent,
        keepTexts ? "STOP" : null,
      );
      await webhook.flow.stop();
    }
  });

  it("run the flow once though many copies come together", async () => {
    const { url, all } = await start();
    const id = await sent("order-7", "sent");
    const event = aboutOrder({ transferId: `t${id}` });
    const copies = await Promise.all(Array.from({ length: 20 }, () => post(url + PATH, event)));
    assert.deepEqual(
      copies,
      copies.map(() => ACKNOWLEDGED),
    );
    assert.equal((await eventsOf(id)).length, 1);
    await post(url + PATH, statusMessage({ clientMessageId: "after them" }));
    assert.equal((await all.until(2)).length, 2);
  });

  it("are known after the end of the process", async () => {
    const first = await start();
    assert.deepEqual(await post(first.url + PATH, statusMessage()), ACKNOWLEDGED);
    await first.all.until(1);
    await first.stop();
    const { url, all } = await start();
    assert.deepEqual(await post(url + PATH, statusMessage()), ACKNOWLEDGED);
    await post(url + PATH, statusMessage({ clientMessageId: "another", transferId: "another" }));
    assert.equal((await all.until(1)).length, 1);
  });

  it("whose answer was cut off are known after the end of the process, once", async () => {
    const options = { webhook: { kind: "inbound", acknowledge: "flow", ackTimeout: 60 }, ack: {} };
    const first = await start(options);
    const cut = await RawPost.send(first.url + PATH, inboundMessage());
    const [msg] = await first.all.until(1);
    await first.seeCut(cut);
    decide(msg);
    await first.stop();
    const { url, all } = await start(options);
    assert.deepEqual(await post(url + PATH, inboundMessage()), ACKNOWLEDGED);
    assert.equal(all.messages.length, 0);
    const next = post(url + PATH, inboundMessage());
    decide((await all.until(1))[0]);
    assert.deepEqual(await next, ACKNOWLEDGED);
    assert.equal((await replies()).length, 2);
  });

  it("are sent back while the store cannot be opened, with an error, and taken when it can", async () => {
    const place = join(folder(), "file");
    writeFileSync(place, "in the way");
    const { url, all, log, untilBadge } = await start({}, { storeFolder: place });
    for (let each = 0; each < 3; each++) {
      assert.equal((await post(url + PATH, statusMessage())).status, 503);
    }
    assert.equal(all.messages.length, 0);
    await untilBadge(/3 to be redelivered · message store fails/);
    assert.equal(log("error").length, 1, log("error").join("\n"));
    assert.match(log("error")[0] ?? "", /message store of the account does not take events.*folder/);
    rmSync(place);
    await waitFor(
      () => "the store to be opened again",
      async () => ((await post(url + PATH, statusMessage())).status === 200 ? true : null),
    );
    await untilBadge(
      /1 received · 3 to be redelivered · [0-9:]+$|1 received · \d+ to be redelivered · [0-9:]+$/,
    );
    assert.equal((await all.until(1)).length, 1);
  });

  it("are acknowledged on a deploy that closes the account together with the webhook", async () => {
    const { url, all, redeploy } = await start({
      webhook: { acknowledge: "flow", ackTimeout: 60 },
      ack: {},
    });
    const pending = post(url + PATH, statusMessage());
    const [msg] = await all.until(1);
    const deployed = redeploy((each) => ({ ...each }), "full");
    // The closing webhook waits for the flow, while its account has closed.
    decide(msg);
    assert.deepEqual(await pending, ACKNOWLEDGED);
    await deployed;
    const again: NodeMessage[] = [];
    webhook.flow.node("port0").on("input", (late: NodeMessage) => again.push(late));
    assert.deepEqual(await post(url + PATH, statusMessage()), ACKNOWLEDGED);
    assert.deepEqual(again, []);
    const { store } = await theStore();
    const [known] = await store.duplicates(WEBHOOK, LIMITS).meet([eventOf(msg).key]);
    assert.equal(known?.done, true);
  });
});

const LIMIT = { age: 86_400_000, most: 100 };
const LIMITS = { done: LIMIT, cut: LIMIT, seen: LIMIT, claimed: LIMIT };
