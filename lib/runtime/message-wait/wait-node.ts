import type { Node, NodeAPI, NodeMessage } from "node-red";
import { WAIT_DEFAULTS, WAIT_FIELDS, waitPort } from "../../shared/fields/wait-fields";
import { say } from "../../texts/say";
import type { ReplyChannel } from "../../store/waits/wait";
import { Account } from "../account/account";
import { maskNumber } from "../../shared/recipients/mask-number";
import { FieldReader } from "../fields/field-reader";
import { messageValue } from "../fields/message-value";
import { FlowLifecycle } from "../node-red/flow-lifecycle";
import { MessageNode, type Send } from "../node-red/message-node";
import { getIdentity } from "../node-red/node-identity";
import { ResultProperty } from "../node-red/result-property";
import { isPortWired } from "../node-red/wiring";
import { rowsOf } from "../waits/list-rows";
import type { WaitEnd, WaitListener, Waits } from "../waits/waits";
import { listOf, noteSent } from "./list-parts";
import { readSendResult, type SentRequest } from "./read-send-result";
import { readUntil } from "./read-until";
import { WaitBadge } from "./wait-badge";
import { refusedEnds, waitResult, withPlus } from "./wait-result";
import { readWaitSettings, type WaitConfig, type WaitSettings } from "./wait-settings";
import { WaitsLink } from "./waits-link";
import { areEventsReceived, neededEvents } from "./webhooks-in-flows";

export type WaitsOf = (account: Account) => Promise<Waits>;

interface Configured {
  readonly settings: WaitSettings;
  readonly account: Account;
  readonly reader: FieldReader;
  readonly link: WaitsLink;
}

type Message = NodeMessage & { parts?: unknown; to?: unknown };

type Ending = Omit<WaitEnd, "msg">;

const getChannel = ({ kind, replyChannel }: WaitSettings, sent: ReplyChannel | null): ReplyChannel | "any" =>
  kind === "reply" && replyChannel === "same" ? (sent ?? "any") : "any";

/** Treats another reply as a matched one if the node has no output for it. */
const asCounted = (end: WaitEnd, { isAny }: WaitSettings): WaitEnd =>
  isAny && end.what === "other" ? { ...end, what: "happened" } : end;

export class WaitNode {
  readonly #sentPath: string;
  readonly #result: ResultProperty;
  readonly #badge: WaitBadge;
  #isUnheard = false;
  #told = "";
  #toldTextless = false;

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    private readonly config: WaitConfig,
    waitsOf: WaitsOf = (account) => account.waits(),
  ) {
    const path = config.waitProperty.trim() || WAIT_DEFAULTS.waitProperty;
    this.#sentPath = config.resultProperty.trim() || WAIT_DEFAULTS.resultProperty;
    this.#result = new ResultProperty(RED, node, path, WAIT_DEFAULTS.waitProperty, (values) =>
      say("waits.elsewhere", values),
    );
    const frame = new MessageNode(node);
    this.#badge = new WaitBadge((status) => frame.show(status));
    const configured = frame.begin<Configured>({
      configure: () => this.#configure(waitsOf),
      answer: (msg, send, set) => this.#answer(msg, send, set),
      failed: (error) => this.#badge.fault(error),
    });
    if (configured !== null) {
      this.#follow(configured);
    }
  }

  /** @throws SetupError, FieldError */
  #configure(waitsOf: WaitsOf): Configured {
    const { RED, node, config } = this;
    const settings = readWaitSettings(config);
    const reader = new FieldReader(RED, node, WAIT_FIELDS, config);
    const account = Account.of(config.account ? RED.nodes.getNode(config.account) : null);
    const link = new WaitsLink(getIdentity(node), this.#listener(settings), () => waitsOf(account));
    return { settings, reader, account, link };
  }

  /** Earlier waits end only while flows run, because other nodes may not exist before. */
  #follow({ settings, link }: Configured): void {
    const lifecycle = FlowLifecycle.of(this.RED);
    const started = (): void => {
      link.open().catch(() => {});
      this.#lookForWebhook(settings);
    };
    const unfollow = lifecycle.onStarted(started);
    if (lifecycle.running) {
      started();
    }
    this.node.on("close", () => {
      unfollow();
      link.close();
    });
  }

  /** Warns once that no reports arrive, and again if a webhook-in node existed in between. */
  #lookForWebhook({ kind }: WaitSettings): void {
    const events = neededEvents(kind);
    const isUnheard = !areEventsReceived(this.RED, this.config.account, events);
    this.#badge.unheard(isUnheard ? events : null);
    if (isUnheard && !this.#isUnheard) {
      this.node.warn(say(`waits.unheard.${events}`));
    }
    this.#isUnheard = isUnheard;
  }

  #listener(settings: WaitSettings): WaitListener {
    const { isMeant, others } = settings;
    return {
      matches: ({ text }) => isMeant(text),
      others,
      emit: (end) => this.#emit(asCounted(end, settings), settings),
      clone: (msg) => this.RED.util.cloneMessage(msg),
      counted: (open) => this.#badge.counted(open),
      textless: () => this.#textless(),
      trouble: (error) => this.#troubled(error),
    };
  }

  #emit(end: WaitEnd, settings: WaitSettings): void {
    this.#ended(end, settings);
    const msg = this.#fill(end.msg, end, settings.words);
    if (this.#getPort(end, settings) < settings.ports) {
      this.node.send(this.#outputs(end, settings, msg));
    } else {
      // The node had an output for the reply when it arrived.
      const [number = ""] = end.recipients;
      this.node.error(say("waits.other-without-output", { number: maskNumber(number) }), msg);
    }
  }

  #ended(end: Ending, settings: WaitSettings): void {
    const { what, kind, recipients, goesOn } = end;
    this.#badge.ended(what === "happened" ? kind : what, recipients.length, goesOn);
    const port = this.#getPort(end, settings);
    const isOther = port === waitPort("other", settings.wordOutputs.length) && port < settings.ports;
    if (isOther && !isPortWired(this.RED, this.node, port)) {
      const text = goesOn ? "waits.other-unheard" : "waits.other-lost";
      this.node.warn(say(text, { number: maskNumber(recipients[0] ?? "") }));
    }
  }

  #textless(): void {
    if (!this.#toldTextless) {
      this.#toldTextless = true;
      this.node.warn(say("waits.text-not-stored"));
      this.#badge.textless();
    }
  }

  #troubled(error: Error | null): void {
    const { message = "" } = error ?? {};
    if (message !== "" && message !== this.#told) {
      this.node.warn(say("waits.trouble", { reason: message }));
    }
    this.#told = message;
    this.#badge.trouble(error);
  }

  /** @throws SetupError, FieldError, StoreError */
  async #answer(msg: Message, send: Send, { settings, account, reader, link }: Configured): Promise<void> {
    const sent = readSendResult(this.#getSent(msg), this.#sentPath);
    if (!sent.mayArrive) {
      this.#refuse(msg, sent, settings, send);
      return;
    }
    const { within } = await reader.read(msg);
    const until = readUntil(within ?? "", Date.now(), account.zone);
    const waits = await link.open();
    const recipients = sent.recipients.map((recipient) => recipient.replace(/^\+/, ""));
    await waits.begin({
      node: getIdentity(this.node),
      kind: settings.kind,
      channel: getChannel(settings, sent.channel),
      transferId: sent.transferId,
      clientMessageId: sent.clientMessageId,
      recipients,
      until,
      group: listOf(msg.parts, this.#sentPath, this.#getSent(msg)),
      ...(sent.restored && { repeated: true }),
      msg,
    });
    this.#badge.fault(null);
  }

  #getSent(msg: Message): unknown {
    return messageValue(this.RED, msg, this.#sentPath);
  }

  /** A rejected request gets no report. */
  #refuse(msg: Message, { recipients }: SentRequest, settings: WaitSettings, send: Send): void {
    const { kind, words } = settings;
    const ends = refusedEnds(recipients, kind, Date.now(), () => this.RED.util.generateId());
    // Each message has its own recipient, so the list is not copied for each.
    const source: Message = ends.length > 1 && Array.isArray(msg.to) ? { ...msg, to: null } : msg;
    for (const end of ends) {
      const leaving: Message = ends.length > 1 ? this.RED.util.cloneMessage(source) : source;
      this.#ended(end, settings);
      send(this.#outputs(end, settings, this.#fill(leaving, end, words)));
    }
    this.#badge.fault(null);
  }

  /** A reply matched by a word that the node no longer has leaves by the output for other replies. */
  #getPort({ what, reply }: Ending, { words, wordOutputs }: WaitSettings): number {
    const { length } = wordOutputs;
    if (what !== "happened" || length === 0) {
      return waitPort(what, length);
    }
    const word = words.find(reply?.text ?? "")?.word ?? "";
    const at = wordOutputs.indexOf(word);
    return at === -1 ? waitPort("other", length) : at;
  }

  #outputs(end: Ending, settings: WaitSettings, msg: NodeMessage): (NodeMessage | null)[] {
    const port = this.#getPort(end, settings);
    const outputs: (NodeMessage | null)[] = new Array(port + 1).fill(null);
    outputs[port] = msg;
    return outputs;
  }

  #fill(msg: Message, end: Ending, words: WaitSettings["words"]): NodeMessage {
    const { recipients, sequence, what } = end;
    const numbers = recipients.map(withPlus);
    const isList = numbers.length > 1 || (what === "silent" && sequence !== null);
    msg.to = isList ? numbers : numbers[0];
    const found = rowsOf(this.RED, end.timedOut ?? []);
    if (found !== null) {
      this.RED.util.setMessageProperty(msg, found.path, found.rows, true);
    }
    const outer = noteSent(msg.parts, this.#sentPath, this.#getSent(msg));
    if (sequence === null) {
      if (outer !== undefined) {
        msg.parts = outer;
      }
    } else {
      const { id, index, count } = sequence;
      msg.parts = {
        id,
        type: "array",
        index,
        ...(count !== null && { count }),
        ...(outer !== undefined && { parts: outer }),
      };
    }
    this.#put(msg, waitResult({ ...end, msg }, words));
    return msg;
  }

  #put(msg: NodeMessage, value: unknown): void {
    try {
      this.#result.put(msg, value);
    } catch {
      // The path is invalid.
      this.#result.putElsewhere(msg, value);
    }
  }
}
