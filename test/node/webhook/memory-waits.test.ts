import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import type { WaitResult } from "../../../lib/runtime/message-wait/wait-result";
import { Account } from "../../../lib/runtime/account/account";
import { AccountMemory } from "../../../lib/runtime/memory/account-memory";
import {
  APPLICATION_ID,
  deliveryReport,
  inboundMessage,
  inboundSms,
} from "../../support/http/webhook-events";
import { waitFor } from "../../support/wait-for";
import { type Config, PortLog } from "../flow";
import {
  ACK,
  ACKNOWLEDGED,
  PATH,
  post,
  type ReceivedMessage,
  SECRET,
  templateSender,
  untilKnown,
  useWebhook,
  type WebhookFlow,
} from "./webhook-flow";

const ACCOUNT = "n-account-of-waits";
const STATUS = "n-status-hook";
const STATUS_PATH = `/messaging/${STATUS}?secret=${SECRET}`;
const WAIT = "n-wait";
const ADA = "41790000001";
const CLEO = "41790000003";
/** Writes back once it got a WhatsApp template. */
const PERSON = "999560001";

type Heard = NodeMessage & { readonly to: unknown; readonly wait: WaitResult; readonly topic?: string };

/** A message as a send node passes it on. */
const sent = (transferId: string, recipients: readonly string[] = [ADA]): NodeMessage =>
  ({
    topic: transferId,
    result: {
      operation: "sms-json",
      outcome: "sent",
      transferId,
      clientMessageId: `id of ${transferId}`,
      recipients,
    },
  }) as unknown as NodeMessage;

const wait = (given: Config): Config => ({
  id: WAIT,
  z: "tab",
  type: "message-wait",
  account: ACCOUNT,
  kind: "delivered",
  within: "1 h",
  withinSource: "str",
  outputs: 4,
  wires: [["happened"], ["failed"], ["silent"], ["other"]],
  ...given,
});

describe("message-wait and webhook-in with an account in memory", () => {
  const webhook = useWebhook();
  let flow: WebhookFlow;
  let ports: Readonly<Record<"happened" | "failed" | "silent" | "other", PortLog>>;

  interface Start {
    readonly account?: Config;
    readonly webhook?: Config;
    readonly ack?: Config;
    readonly wait?: Config;
    readonly more?: readonly Config[];
  }

  /** Receives what a port of the node sends, also of its successors. */
  function listen(): void {
    for (const [name, log] of Object.entries(ports)) {
      flow.node(name).on("input", (msg: NodeMessage) => log.take(msg));
    }
  }

  async function start(given: Start = {}): Promise<void> {
    const names = ["happened", "failed", "silent", "other"] as const;
    flow = await webhook.start({
      webhook: { account: ACCOUNT, ...given.webhook },
      ...(given.ack && { ack: given.ack }),
      more: [
        {
          id: ACCOUNT,
          type: "messaging-account",
          service: "service",
          serviceAddress: "https://127.0.0.1:9",
          keepMessages: "memory",
          ...given.account,
        },
        {
          id: STATUS,
          z: "tab",
          type: "webhook-in",
          kind: "status",
          account: ACCOUNT,
          wires: [["status"], ["status"], ["status"], []],
        },
        { id: "status", z: "tab", type: "helper" },
        wait(given.wait ?? {}),
        ...names.map((id) => ({ id, z: "tab", type: "helper" })),
        ...(given.more ?? []),
      ],
      moreCredentials: { [STATUS]: { secret: SECRET } },
    });
    ports = {
      happened: new PortLog(),
      failed: new PortLog(),
      silent: new PortLog(),
      other: new PortLog(),
    };
    listen();
  }

  /** Waits until as many recipients are waited for. */
  const untilOpen = (open: number): Promise<unknown> =>
    waitFor(
      () => `${open} recipients to be waited for, but there are ${AccountMemory.of(ACCOUNT).waits.load.open}`,
      () => AccountMemory.of(ACCOUNT).waits.load.open === open || null,
    );

  async function begin(msg: NodeMessage): Promise<void> {
    const { open } = AccountMemory.of(ACCOUNT).waits.load;
    flow.node(WAIT).receive(msg);
    await untilOpen(open + 1);
  }

  const heard = async (port: keyof typeof ports, count = 1): Promise<Heard> =>
    (await ports[port].until(count))[count - 1] as Heard;

  afterEach(() =>
    assert.equal(AccountMemory.of(ACCOUNT).waits.load.open, 0, "a test ends what it waits for"),
  );

  it("hear of a delivery once however many copies come", async () => {
    await start();
    await begin(sent("t-1"));
    const report = deliveryReport({ transferId: "t-1", clientMessageId: "id of t-1", notificationId: "r-1" });
    const answers = await Promise.all(
      [report, report, report].map((each) => post(flow.url + STATUS_PATH, each)),
    );
    assert.deepEqual(answers, [ACKNOWLEDGED, ACKNOWLEDGED, ACKNOWLEDGED]);
    const msg = await heard("happened");
    assert.deepEqual([msg.topic, msg.to, msg.wait.status], ["t-1", `+${ADA}`, "delivered"]);
    await untilOpen(0);
    assert.equal(ports.happened.messages.length, 1);
  });

  it("hear of a delivery that came before the wait began", async () => {
    await start();
    const report = deliveryReport({ transferId: "t-2", clientMessageId: "id of t-2", notificationId: "r-2" });
    assert.deepEqual(await post(flow.url + STATUS_PATH, report), ACKNOWLEDGED);
    flow.node(WAIT).receive(sent("t-2"));
    assert.equal((await heard("happened")).wait.status, "delivered");
  });

  for (const type of ["nodes", "full"] as const) {
    it(`wait on over a deploy of ${type === "full" ? "all flows" : "the node"}`, async () => {
      await start();
      await begin(sent(`t-${type}`));
      await flow.redeploy((node) => (node.id === WAIT ? { ...node, name: "changed" } : { ...node }), type);
      if (type === "full") {
        listen();
      }
      const report = deliveryReport({
        transferId: `t-${type}`,
        clientMessageId: null,
        notificationId: `r-${type}`,
        deliveryReportMessageStatus: "rejected",
      });
      assert.deepEqual(await post(flow.url + STATUS_PATH, report), ACKNOWLEDGED);
      const msg = await heard("failed");
      assert.deepEqual([msg.topic, msg.wait.status], [`t-${type}`, "rejected"]);
    });
  }

  it("take a reply once that the flow had sent back", async () => {
    await start({
      wait: { kind: "reply", match: "any" },
      webhook: { acknowledge: "flow", ackTimeout: 60 },
      ack: { answer: "error" },
    });
    for (const [id, reply] of [
      ["with an id", inboundSms({ textMessageContent: "yes", notificationId: "i-1" })],
      ["without an id", { ...inboundSms({ textMessageContent: "yes" }), notificationId: undefined }],
    ] as const) {
      const count = flow.all.messages.length;
      await begin(sent(`${id}, first`));
      const first = post(flow.url + PATH, reply);
      const [event] = (await flow.all.until(count + 1)).slice(count);
      flow.node(ACK).receive({ ...event, error: { message: "disk full" } } as NodeMessage);
      assert.equal((await first).status, 503);
      await untilOpen(0);
      await begin(sent(`${id}, second`));
      const again = post(flow.url + PATH, reply);
      const [copy] = (await flow.all.until(count + 2)).slice(count + 1);
      flow.node(ACK).receive(copy!);
      assert.deepEqual(await again, ACKNOWLEDGED);
      assert.equal(AccountMemory.of(ACCOUNT).waits.load.open, 1);
      // Another message of the person is the answer.
      const next = post(flow.url + PATH, inboundSms({ textMessageContent: "no", notificationId: `${id} 2` }));
      const [last] = (await flow.all.until(count + 3)).slice(count + 2);
      flow.node(ACK).receive(last!);
      assert.deepEqual(await next, ACKNOWLEDGED);
      await untilOpen(0);
    }
    const texts = (await ports.happened.until(4)) as Heard[];
    assert.deepEqual(
      texts.map(({ topic, wait: { text } }) => [topic, text]),
      [
        ["with an id, first", "yes"],
        ["with an id, second", "no"],
        ["without an id, first", "yes"],
        ["without an id, second", "no"],
      ],
    );
  });

  it("write person and words of a reply as webhook-in does", async () => {
    await start({ wait: { kind: "reply", replyChannel: "any" } });
    for (const reply of [
      inboundSms({ notificationId: "i-7" }),
      inboundMessage({ sender: "+41 79 000 00 01" }),
    ]) {
      const count = flow.all.messages.length;
      await begin(sent(`t-${reply.notificationId}`));
      assert.deepEqual(await post(flow.url + PATH, reply), ACKNOWLEDGED);
      const [event] = (await flow.all.until(count + 1)).slice(count) as ReceivedMessage[];
      const { to, wait: heardReply } = (await ports.happened.until(count + 1))[count] as Heard;
      assert.deepEqual([to, heardReply.text], [event?.from, event?.text]);
      assert.equal(to, `+${ADA}`);
    }
  });

  it("let other replies leave once, and a stop word is one that is noted as well", async () => {
    await start({ wait: { kind: "reply", match: "words", words: "YES, NO" } });
    await begin(sent("t-stop", [CLEO]));
    for (const [id, textMessageContent] of [
      ["o-1", "STOP"],
      ["o-2", "Yes!"],
    ] as const) {
      const answer = await post(
        flow.url + PATH,
        inboundSms({ textMessageContent, notificationId: id, senderAddress: CLEO }),
      );
      assert.deepEqual(answer, ACKNOWLEDGED);
      await untilOpen(0);
    }
    const other = await heard("other");
    assert.deepEqual([other.wait.text, other.wait.outcome, other.to], ["STOP", "other", `+${CLEO}`]);
    const events = (await flow.all.until(2)) as ReceivedMessage[];
    assert.deepEqual(
      events.map(({ event }) => event.optOut?.change),
      ["stop", undefined],
    );
    assert.deepEqual([ports.happened.messages, ports.other.messages.length], [[], 1]);
  });

  it("let other replies leave, and know when people last wrote", async () => {
    const words = { match: "words", words: "YES, NO", others: "output" };
    await start({ wait: { kind: "reply", replyChannel: "any", ...words } });
    await begin(sent("t-words"));
    const before = Date.now();
    for (const content of ["perhaps", "Yes!"]) {
      assert.deepEqual(await post(flow.url + PATH, inboundMessage({ content })), ACKNOWLEDGED);
    }
    assert.equal((await heard("other")).wait.text, "perhaps");
    const { wait: result } = await heard("happened");
    assert.deepEqual([result.text, result.word, result.channel], ["Yes!", "YES", "whatsapp"]);
    const at =
      (await AccountMemory.of(ACCOUNT).contacts.lastInbound("whatsapp", APPLICATION_ID, [ADA])).get(ADA) ?? 0;
    assert.ok(at >= before);
  });

  it("hear the simulator: the delivery, and the answer but nothing that was written before the question", async () => {
    await start({
      account: { service: "simulator" },
      wait: { kind: "reply" },
      more: [
        templateSender(ACCOUNT, [WAIT, "n-wait-2"]),
        wait({ id: "n-wait-2", wires: [["delivered"], [], [], []] }),
        { id: "delivered", z: "tab", type: "helper" },
      ],
    });
    const delivered = new PortLog();
    flow.node("delivered").on("input", (msg: NodeMessage) => delivered.take(msg));
    const account = Account.of(flow.node(ACCOUNT));
    await untilKnown(flow, ACCOUNT, 2);
    await account.simulator.use((simulator) =>
      simulator.receive({ event: "inbound", type: "whatsapp", sender: PERSON, content: "hello?" }),
    );
    await flow.all.until(1);
    flow.node("n-sender").receive({ to: PERSON } as unknown as NodeMessage);
    const msg = await heard("happened");
    assert.deepEqual([msg.wait.text, msg.to], ["Yes, please", `+${PERSON}`]);
    const [first] = (await delivered.until(1)) as Heard[];
    assert.equal(first!.wait.outcome, "happened");
  });
});
