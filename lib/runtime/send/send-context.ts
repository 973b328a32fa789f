import type { Node, NodeAPI } from "node-red";
import { outcomePorts } from "../../shared/outcome-ports";
import { UnderWay } from "../../shared/async/under-way";
import type { ParsedRecipients } from "../../shared/recipients/recipients";
import { recipientSentence } from "../../texts/recipient-sentence";
import type { SendProgress } from "../activity/activity-log";
import { NodeActivity } from "../activity/node-activity";
import type { ChannelDefinition } from "../channels/channel-definition";
import type { FieldValues } from "../fields/field-reader";
import { identityOf } from "../node-red/node-identity";
import { JobResults } from "./jobs/job-results";
import { ResultOutlet } from "./result-outlet";
import { type SendConfig, SendSetup } from "./send-setup";
import { StatusBadge } from "./badge/status-badge";

/** What the parts of a send node share, from deploy to deploy. */
export class SendContext {
  readonly identity: string;
  /** Path of the result in a message, without `msg.`. */
  readonly resultProperty: string;
  /** False for files, which are sent to nobody. */
  readonly hasRecipients: boolean;
  readonly badge: StatusBadge;
  readonly setup: SendSetup;
  readonly outlet: ResultOutlet;
  readonly results: JobResults;
  readonly #activity: NodeActivity;

  /** Messages that have not ended. */
  readonly active = new UnderWay();
  /** Messages that are being read. */
  readonly reading = new Set<Promise<void>>();
  /** Messages that wait for something before they are kept or sent. */
  readonly runs = new Set<Promise<void>>();

  /** @param keeps false for a test from the dialog, which no account keeps */
  constructor(
    readonly RED: NodeAPI,
    readonly node: Node,
    readonly config: SendConfig,
    readonly channel: ChannelDefinition,
    readonly keeps: boolean,
  ) {
    this.identity = identityOf(node);
    this.resultProperty = config.resultProperty || "result";
    this.hasRecipients = channel.recipients !== null;
    this.badge = new StatusBadge(node);
    this.#activity = new NodeActivity(RED, node, config.account);
    this.setup = new SendSetup(RED, node, config, channel, keeps);
    const { badge, setup, resultProperty } = this;
    const ports = outcomePorts(config.outputs);
    this.outlet = new ResultOutlet(
      RED,
      node,
      badge,
      this.#activity,
      channel.label,
      ports,
      resultProperty,
      setup,
    );
    this.results = new JobResults(node, this.outlet, badge, setup, channel);
    badge.simulated = setup.simulated;
  }

  /** Shows the progress of a list in the sidebar. */
  progress(people: number): SendProgress {
    return this.#activity.begin(people, this.setup.simulated);
  }

  /** What cancels other messages waits for the end of this. */
  follow(run: Promise<void>): Promise<void> {
    this.runs.add(run);
    return run.finally(() => this.runs.delete(run));
  }

  /** Warns of what is odd in fields that are sent, and in recipients. */
  warn(values: FieldValues, recipients: ParsedRecipients["warnings"] = []): void {
    if (this.hasRecipients) {
      for (const warning of recipients) {
        this.node.warn(recipientSentence(warning));
      }
      for (const warning of this.channel.warn?.(values) ?? []) {
        this.node.warn(warning);
      }
    }
  }
}
