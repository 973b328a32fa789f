import type { Node, NodeAPI } from "node-red";
import { outcomePorts } from "../../shared/outcome-ports";
import { UnderWay } from "../../shared/async/under-way";
import type { ParsedRecipients } from "../../shared/recipients/recipients";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import { recipientSentence } from "../../texts/recipient-sentence";
import type { ChannelDefinition } from "../channels/channel-definition";
import type { FieldValues } from "../fields/field-reader";
import { getIdentity } from "../node-red/node-identity";
import { lastResultsOf } from "../results/last-results-of";
import { ResultEmitter } from "./result-emitter";
import { type SendConfig, SendSetup } from "./send-setup";
import { type Doubt, StatusBadge } from "./badge/status-badge";

export class SendContext {
  readonly identity: string;
  /** Path without `msg.`. */
  readonly resultProperty: string;
  /** False for files. */
  readonly hasRecipients: boolean;
  readonly badge: StatusBadge;
  readonly setup: SendSetup;
  readonly emitter: ResultEmitter;

  readonly active = new UnderWay();
  readonly reading = new Set<Promise<void>>();
  /** Messages that wait before they are stored or sent. */
  readonly runs = new Set<Promise<void>>();

  constructor(
    readonly RED: NodeAPI,
    readonly node: Node,
    readonly config: SendConfig,
    readonly channel: ChannelDefinition,
    readonly keeps: boolean,
  ) {
    this.identity = getIdentity(node);
    this.resultProperty = config.resultProperty || "result";
    this.hasRecipients = channel.recipients !== null;
    this.badge = new StatusBadge(node);
    this.setup = new SendSetup(RED, node, config, channel, keeps, (path) =>
      this.#warnOnce("numberCell", say("sources.personal.number-cell", { path: quoteValue(path) })),
    );
    const { badge, setup, resultProperty } = this;
    const ports = outcomePorts(config.outputs);
    const last = lastResultsOf(RED, config.account);
    this.emitter = new ResultEmitter(RED, node, badge, last, channel, ports, resultProperty, setup);
    badge.simulated = setup.simulated;
  }

  /** A cancelling message waits for the end of earlier messages. */
  follow(run: Promise<void>): Promise<void> {
    this.runs.add(run);
    return run.finally(() => this.runs.delete(run));
  }

  #warnOnce(doubt: Doubt, text: string): void {
    if (this.badge.doubt(doubt)) {
      this.node.warn(text);
    }
  }

  warn(values: FieldValues, recipients: ParsedRecipients["warnings"] = []): void {
    if (this.hasRecipients) {
      for (const warning of recipients) {
        if (warning.key.startsWith("rounded")) {
          this.#warnOnce("rounded", recipientSentence(warning));
        } else {
          this.node.warn(recipientSentence(warning));
        }
      }
      for (const warning of this.channel.warn?.(values) ?? []) {
        this.node.warn(warning);
      }
    }
  }
}
