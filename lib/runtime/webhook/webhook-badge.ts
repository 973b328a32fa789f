import type { Node } from "node-red";
import type { ReceiverEvent } from "../../webhook/receiver-parts";
import type { RefusalReason } from "../../webhook/gates/refusals";
import { formatNumber } from "../../texts/format-number";
import { say } from "../../texts/say";
import { Throttle } from "../node-red/throttle";
import { troubleText } from "../node-red/trouble-text";

type Fill = "green" | "yellow" | "red" | "grey";

export type BadgeNote = "ledgerFails" | "plainHttp" | "simulatorFails" | "optOutsLost";

const COUNTED = ["event", "otherChannel", "duplicate", "sentBack"] as const;

export class WebhookBadge {
  readonly #counts = { event: 0, otherChannel: 0, duplicate: 0, sentBack: 0 };
  readonly #refused = new Map<RefusalReason, number>();
  readonly #throttle = new Throttle(() => this.#show());
  #last: { readonly fill: Fill; readonly at: Date } | null = null;
  #trouble: string | null = null;
  readonly #notes = new Map<BadgeNote, string>();

  constructor(
    private readonly node: Node,
    private readonly simulated: boolean,
  ) {
    this.#throttle.ask();
  }

  count(event: ReceiverEvent): void {
    switch (event.what) {
      case "event":
        this.#counts.event++;
        this.#counts.otherChannel += event.otherChannel ? 1 : 0;
        this.#mark("green");
        break;
      case "duplicate":
        this.#counts.duplicate++;
        this.#mark("green");
        break;
      case "sent-back":
        this.#counts.sentBack++;
        this.#mark("yellow");
        break;
      case "refused":
        this.#refused.set(event.reason, (this.#refused.get(event.reason) ?? 0) + 1);
        this.#mark("yellow");
        break;
    }
  }

  trouble(error: unknown): void {
    this.#trouble = error === null ? null : troubleText(error);
    this.#throttle.ask();
  }

  note(key: BadgeNote, applies = true): void {
    if (applies) {
      this.#notes.set(key, say(`badges.webhook.${key}`));
    } else {
      this.#notes.delete(key);
    }
    this.#throttle.ask();
  }

  close(): void {
    this.#throttle.close();
  }

  #mark(fill: Fill): void {
    // The worst colour stays until the node restarts.
    this.#last = { fill: this.#last?.fill === "yellow" ? "yellow" : fill, at: new Date() };
    this.#throttle.ask();
  }

  #show(): void {
    const parts: string[] = this.simulated ? [say("badges.status.simulated")] : [];
    if (this.#trouble !== null) {
      this.node.status({ fill: "red", shape: "ring", text: [...parts, this.#trouble].join(" · ") });
      return;
    }
    for (const name of COUNTED) {
      if (this.#counts[name] > 0) {
        parts.push(say(`badges.webhook.${name}`, { n: formatNumber(this.#counts[name]) }));
      }
    }
    for (const [reason, n] of this.#refused) {
      parts.push(
        say("badges.webhook.refused", { n: formatNumber(n), why: say(`badges.webhook.reason.${reason}`) }),
      );
    }
    parts.push(...this.#notes.values());
    const noted: Fill | null =
      this.#notes.size === 0 ? null : this.#notes.has("ledgerFails") ? "red" : "yellow";
    if (this.#last === null) {
      parts.push(say("badges.webhook.waiting"));
      this.node.status({ fill: noted ?? "grey", shape: "ring", text: parts.join(" · ") });
      return;
    }
    parts.push(this.#last.at.toTimeString().slice(0, 8));
    const fill = noted ?? this.#last.fill;
    this.node.status({ fill, shape: fill === "green" ? "dot" : "ring", text: parts.join(" · ") });
  }
}
