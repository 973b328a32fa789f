// Slow: the time of one wait passes for real.
import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import type { SendResult } from "../../../../lib/runtime/channels/send-result";
import type { WaitResult } from "../../../../lib/runtime/message-wait/wait-result";
import { Account } from "../../../../lib/runtime/account/account";
import registerWait from "../../../../nodes/message-wait/message-wait";
import registerWebhook from "../../../../nodes/webhook-in/webhook-in";
import { waitFor } from "../../../support/wait-for";
import { useFolder } from "../../../unit/store/use-folder";
import {
  ACCOUNT,
  type Config,
  PortLog,
  startFlow,
  stopFlow,
  stopServer,
  type TestFlow,
} from "../../../node/flow";

/** Numbers whose people the simulator plays. */
const DELIVERED = "+999000001";
const EXPIRED = "+999030101";
const SILENT = "+999030004";
const SAYS_YES = "+999560005";

const PORTS = ["happened", "failed", "silent", "other"] as const;
type Port = (typeof PORTS)[number];

type Msg = NodeMessage & {
  readonly to: unknown;
  readonly wait: WaitResult;
  readonly result: SendResult;
  readonly parts?: { readonly index: number; readonly count?: number };
};

interface Conversation {
  readonly flow: TestFlow;
  until(port: Port, count: number): Promise<Msg[]>;
  readonly left: Readonly<Record<Port, PortLog>>;
}

describe("message-wait behind a send node", () => {
  const folder = useFolder();
  afterEach(stopFlow);
  after(stopServer);

  async function start(config: Config, account: Config = {}): Promise<Conversation> {
    const webhook = (id: string, kind: string): Config => ({
      id,
      z: "tab",
      type: "messaging-webhook-in",
      kind,
      account: ACCOUNT,
      wires: [],
    });
    const flow = await startFlow({
      account: { keepMessages: "computer", storeFolder: folder(), ...account },
      sender: {
        recipientAddressList: "to",
        recipientAddressListSource: "msg",
        wires: [["n-wait"], ["n-wait"], ["n-wait"], ["n-wait"]],
      },
      register: [registerWait, registerWebhook],
      more: [
        webhook("n-inbound", "inbound"),
        webhook("n-status", "status"),
        {
          id: "n-wait",
          z: "tab",
          type: "messaging-message-wait",
          account: ACCOUNT,
          withinSource: "str",
          wires: PORTS.map((port) => [port]),
          ...config,
        },
        ...PORTS.map((id) => ({ id, z: "tab", type: "helper" })),
      ],
      completing: ["n-wait"],
    });
    const left = Object.fromEntries(
      PORTS.map((port) => {
        const log = new PortLog();
        flow.node(port).on("input", (msg: NodeMessage) => log.take(msg));
        return [port, log];
      }),
    ) as unknown as Record<Port, PortLog>;
    return { flow, left, until: async (port, count) => (await left[port].until(count)) as Msg[] };
  }

  it("lets each person of a list leave as it is heard of, and the silent ones together", async () => {
    const { flow, until, left } = await start({ kind: "delivered", within: "5s" });
    flow.send({ to: [DELIVERED, EXPIRED, SILENT, "+999000002"], payload: "Hello", topic: "kept" });
    const happened = await until("happened", 2);
    assert.deepEqual(happened.map(({ to, wait }) => `${String(to)} ${wait.status}`).sort(), [
      "+999000001 delivered",
      "+999000002 delivered",
    ]);
    const [failed] = await until("failed", 1);
    assert.deepEqual([failed!.to, failed!.wait.status, failed!.topic], [EXPIRED, "expired", "kept"]);
    const [silent] = await until("silent", 1);
    assert.deepEqual([silent!.to, silent!.wait.outcome, silent!.payload], [[SILENT], "silent", "Hello"]);
    assert.deepEqual([...happened, failed!, silent!].map(({ parts }) => parts?.index).sort(), [0, 1, 2, 3]);
    assert.equal(silent!.parts?.count, 4);
    assert.deepEqual([left.happened.messages.length, left.failed.messages.length], [2, 1]);
  });

  it("gets the reply that is one of the words, and says which", async () => {
    const { flow, until, left } = await start({
      kind: "reply",
      match: "words",
      words: "YES, NO",
      within: "1 min",
    });
    flow.send({ to: SAYS_YES, payload: "Will you come?" });
    const [msg] = await until("happened", 1);
    const { outcome, text, word, channel, recipients } = msg!.wait;
    assert.deepEqual(
      [outcome, text, word, channel, recipients],
      ["happened", "Yes", "YES", "sms", [SAYS_YES]],
    );
    assert.deepEqual([msg!.to, msg!.payload, msg!.parts], [SAYS_YES, "Will you come?", undefined]);
    assert.deepEqual([left.other.messages, left.silent.messages], [[], []]);
  });

  for (const keepMessages of ["computer", "memory"]) {
    it(`waits on when its flows start again with an account in: ${keepMessages}`, async () => {
      const config = { kind: "reply", replyChannel: "any", within: "1 h" };
      const first = await start(config, { keepMessages });
      first.flow.send({ to: SILENT, payload: "Will you come?", topic: "kept" });
      await first.flow.completed.until(2);
      await stopFlow();
      const { flow, until, left } = await start(config, { keepMessages });
      const { simulator } = Account.of(flow.account);
      await waitFor("the webhooks to be known", () =>
        simulator.use(({ webhooks }) => webhooks.length === 2 || null),
      );
      const reply = { event: "inbound", type: "whatsapp", sender: SILENT, content: "Yes" } as const;
      await simulator.use((account) => account.receive(reply));
      const [msg] = await until("happened", 1);
      assert.deepEqual([msg!.to, msg!.topic, msg!.payload], [SILENT, "kept", "Will you come?"]);
      assert.equal(msg!.wait.text, "Yes");
      await stopFlow();
      assert.deepEqual([first.left.happened.messages.length, left.happened.messages.length], [0, 1]);
    });
  }

  it("refuses the result of a message that another account has sent", async () => {
    const { flow } = await start({ kind: "delivered", within: "5s" });
    const result = { operation: "rcs", outcome: "sent", transferId: "x", clientMessageId: "y" };
    flow.node("n-wait").receive({ result: { ...result, recipients: ["999000001"] } } as never);
    const [caught] = await flow.caught.until(1);
    assert.equal((caught as NodeMessage & { error: { code: string } }).error.code, "UNKNOWN_MESSAGE");
  });
});
