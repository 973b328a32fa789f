import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { Account } from "../../../../lib/runtime/account/account";
import type { OptOuts } from "../../../../lib/store/guards/opt-outs";
import { RawPost } from "../../../support/http/raw-post";
import { inboundMessage, inboundSms } from "../../../support/http/webhook-events";
import { ACCOUNT, useStoredWebhook } from "./stored-webhook";
import { ACK, ACKNOWLEDGED, eventOf, PATH, post } from "./webhook-flow";

/** Ada writes SMS and WhatsApp messages. */
const ADA = "41790000001";
const BEN = "41790000002";

/** Tests before this one: what a webhook has changed is known as long as the process. */
let tests = 0;
/** @param id of the event, in its test */
const sms = (textMessageContent: string, id: string, senderAddress = ADA) =>
  inboundSms({ textMessageContent, notificationId: `${tests}-${id}`, senderAddress });
const whatsapp = (content: string, sender = `+${ADA}`) => inboundMessage({ content, sender });

describe("stop words to a webhook", () => {
  const { webhook, start, store: keptStore } = useStoredWebhook({ optOutWords: true });
  beforeEach(() => void tests++);

  const BY_FLOW = { webhook: { acknowledge: "flow", ackTimeout: 60 }, ack: { answer: "error" } };

  const optOuts = async (): Promise<OptOuts> => {
    const kept = await keptStore();
    return kept.store.optOuts(kept.scope);
  };
  const listed = async () =>
    (await (await optOuts()).page("", 10)).map(({ number, scope, source }) => [number, scope, source]);
  const optOutOf = (msg: NodeMessage | undefined) => eventOf(msg).optOut;
  const decide = (msg: NodeMessage | undefined, failed = false): void =>
    webhook.flow
      .node(ACK)
      .receive({ ...msg, ...(failed && { error: { message: "disk full" } }) } as NodeMessage);

  it("are in the list of opt-outs before the flow runs", async () => {
    const { url, ports, node } = await start();
    let inList: Promise<unknown> | null = null;
    node("port0").on("input", () => {
      inList = listed();
    });
    assert.deepEqual(await post(url + PATH, sms(" «Stop!» ", "n-1")), ACKNOWLEDGED);
    const [msg] = await ports[0]!.until(1);
    assert.deepEqual(optOutOf(msg), { change: "stop", scope: "all", number: ADA });
    assert.deepEqual(await (inList as unknown as Promise<unknown>), [[ADA, "all", "inbound"]]);
  });

  it("by SMS are taken back by a start word on WhatsApp, and the other way round", async () => {
    const { url, all } = await start();
    await post(url + PATH, sms("STOP", "n-1"));
    await post(url + PATH, whatsapp("Arrêt", `+${BEN}`));
    assert.deepEqual(await listed(), [
      [ADA, "all", "inbound"],
      [BEN, "all", "inbound"],
    ]);
    await post(url + PATH, whatsapp("start", "+41 79 000 00 01"));
    assert.deepEqual(await listed(), [[BEN, "all", "inbound"]]);
    await post(url + PATH, sms("Start 😀", "n-2", `00${BEN}`));
    assert.deepEqual(await listed(), []);
    assert.deepEqual((await all.until(4)).map(optOutOf), [
      { change: "stop", scope: "all", number: ADA },
      { change: "stop", scope: "all", number: BEN },
      { change: "start", number: ADA },
      { change: "start", number: BEN },
    ]);
  });

  it("are no others", async () => {
    const { url, all } = await start();
    const binary = { messageType: "binary", senderAddress: ADA, binaryMessageContent: ["U1RPUA=="] };
    const events = [
      sms("STOP 12345", "n-1"),
      whatsapp("Please stop"),
      whatsapp("yes"),
      binary,
      { stop: "STOP" },
    ];
    for (const event of events) {
      assert.deepEqual(await post(url + PATH, event), ACKNOWLEDGED);
    }
    const messages = await all.until(events.length);
    assert.ok(messages.every((msg) => !("optOut" in eventOf(msg))));
    assert.deepEqual(await listed(), []);
  });

  it("can stop advertisement only, and then leave what stops everything", async () => {
    const { url } = await start({ webhook: { optOutScope: "advertisement", stopWords: "Keine Werbung" } });
    await (await optOuts()).add([BEN], "all", "sidebar");
    await post(url + PATH, sms("STOP", "n-1"));
    await post(url + PATH, sms("keine werbung!", "n-2"));
    await post(url + PATH, sms("keine werbung!", "n-3", BEN));
    assert.deepEqual(await listed(), [
      [ADA, "advertisement", "inbound"],
      [BEN, "all", "sidebar"],
    ]);
  });

  it("do not undo a later start word with a copy", async () => {
    const { url, all } = await start();
    await post(url + PATH, sms("STOP", "n-1"));
    await post(url + PATH, sms("START", "n-2"));
    assert.deepEqual(await post(url + PATH, sms("STOP", "n-1")), ACKNOWLEDGED);
    assert.deepEqual(await listed(), []);
    await post(url + PATH, sms("STOP", "n-3"));
    assert.deepEqual(await post(url + PATH, sms("START", "n-2")), ACKNOWLEDGED);
    assert.deepEqual(await listed(), [[ADA, "all", "inbound"]]);
    assert.equal((await all.until(3)).length, 3);
  });

  for (const [what, stop] of [
    ["with an id", () => sms("STOP", "n-1")],
    ["without an id", () => whatsapp("STOP")],
  ] as const) {
    it(`do not undo a later start word when the flow asked for them again: ${what}`, async () => {
      const { url, all } = await start(BY_FLOW);
      const first = post(url + PATH, stop());
      decide((await all.until(1))[0], true);
      assert.equal((await first).status, 503);
      assert.deepEqual(await listed(), [[ADA, "all", "inbound"]]);
      const between = post(url + PATH, sms("START", "n-2"));
      decide((await all.until(2))[1]);
      assert.deepEqual(await between, ACKNOWLEDGED);
      const again = post(url + PATH, stop());
      const msg = (await all.until(3))[2];
      decide(msg);
      assert.deepEqual(await again, ACKNOWLEDGED);
      assert.deepEqual(optOutOf(msg), { change: "stop", scope: "all", number: ADA });
      assert.equal(eventOf(msg).possibleDuplicate, true);
      assert.deepEqual(await listed(), []);
    });
  }

  it("do not undo a later start word when their answer was cut off", async () => {
    const { url, all, seeCut } = await start(BY_FLOW);
    const cut = await RawPost.send(url + PATH, whatsapp("STOP"));
    const [msg] = await all.until(1);
    await seeCut(cut);
    decide(msg);
    const between = post(url + PATH, sms("START", "n-2"));
    decide((await all.until(2))[1]);
    assert.deepEqual(await between, ACKNOWLEDGED);
    assert.deepEqual(await post(url + PATH, whatsapp("STOP")), ACKNOWLEDGED);
    assert.deepEqual(await listed(), []);
    assert.equal(all.messages.length, 2);
  });

  it("of senders without a phone number are passed on as any text, with a warning", async () => {
    const { url, all, log, untilBadge } = await start();
    for (const sender of ["user@messenger", "0790000001"]) {
      assert.deepEqual(await post(url + PATH, whatsapp("STOP", sender)), ACKNOWLEDGED);
    }
    assert.deepEqual((await all.until(2)).map(optOutOf), [undefined, undefined]);
    await untilBadge(/2 received · opt-outs are not kept/);
    assert.equal(log("warn").filter((line) => /no phone number/.test(line)).length, 1);
    assert.deepEqual(await listed(), []);
  });

  it("of a messenger whose people have ids opt out no phone number with the same digits", async () => {
    const { url, all, log } = await start();
    const telegram = (sender: string) => inboundMessage({ type: "telegram", sender, content: "STOP" });
    for (const sender of [ADA, `00${ADA}`]) {
      assert.deepEqual(await post(url + PATH, telegram(sender)), ACKNOWLEDGED);
    }
    assert.deepEqual((await all.until(2)).map(optOutOf), [undefined, undefined]);
    assert.equal(log("warn").filter((line) => /no phone number/.test(line)).length, 1);
    assert.deepEqual(await listed(), []);
    await post(url + PATH, telegram(`+${BEN}`));
    assert.deepEqual(await listed(), [[BEN, "all", "inbound"]]);
    await post(url + PATH, inboundMessage({ type: "telegram", sender: BEN, content: "START" }));
    assert.deepEqual(await listed(), [[BEN, "all", "inbound"]]);
  });

  it("opt out people of an account in memory, over a deploy", async () => {
    const { url, redeploy, node } = await start({}, { keepMessages: "memory" });
    await post(url + PATH, sms("STOP", "n-1"));
    await redeploy((each) => ({ ...each }), "full");
    const { scope, store } = await Account.of(node(ACCOUNT)).store();
    const list = await store.optOuts(scope).page("", 10);
    assert.deepEqual(
      list.map(({ number, scope }) => [number, scope]),
      [[ADA, "all"]],
    );
  });
});
