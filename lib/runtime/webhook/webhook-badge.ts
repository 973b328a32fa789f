import type { Node } from "node-red";
import type { ReceiverEvent } from "../../webhook/receiver";
import { MessagingError } from "../../shared/messaging-error";
import { Throttle } from "../node-red/throttle";
import type { Texts } from "../node-red/texts";

type Fill = "green" | "yellow" | "red" | "grey";

/** Parts of the badge, in their order, with the texts' keys. */
const COUNTED = ["event", "duplicate", "sentBack"] as const;

const clock = (at: Date): string =>
  [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");

/** The badge under a receiving node: events, copies, what was sent back or refused and why, and when it was last called. */
export class WebhookBadge {
  readonly #counts = { event: 0, duplicate: 0, sentBack: 0 };
  readonly #refused = new Map<string, number>();
  readonly #paced = new Throttle(() => this.#show());
  #last: { readonly fill: Fill; readonly at: Date } | null = null;
  #trouble: string | null = null;
  readonly #notes = new Map<string, string>();

  constructor(
    private readonly node: Node,
    private readonly texts: Texts,
    private readonly simulated: boolean,
  ) {
    this.#paced.ask();
  }

  happened(happening: ReceiverEvent): void {
    switch (happening.what) {
      case "event":
        this.#counts.event++;
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
        this.#refused.set(happening.reason, (this.#refused.get(happening.reason) ?? 0) + 1);
        this.#mark("yellow");
        break;
    }
  }

  /** The set-up cannot work; null when it can again. */
  trouble(error: unknown): void {
    this.#trouble =
      error === null ? null : this.texts(`trouble.${error instanceof MessagingError ? error.code : "OTHER"}`);
    this.#paced.ask();
  }

  /**
   * Something that is not as it should be, though events are taken.
   * @param key of the texts
   * @param isSo false when it is over
   */
  note(key: string, isSo = true): void {
    if (isSo) {
      this.#notes.set(key, this.texts(`webhook.${key}`));
    } else {
      this.#notes.delete(key);
    }
    this.#paced.ask();
  }

  close(): void {
    this.#paced.close();
  }

  #mark(fill: Fill): void {
    this.#last = { fill, at: new Date() };
    this.#paced.ask();
  }

  #show(): void {
    const parts: string[] = this.simulated ? [this.texts("status.simulated")] : [];
    if (this.#trouble !== null) {
      this.node.status({ fill: "red", shape: "ring", text: [...parts, this.#trouble].join(" · ") });
      return;
    }
    for (const name of COUNTED) {
      if (this.#counts[name] > 0) {
        parts.push(this.texts(`webhook.${name}`, { n: this.#counts[name] }));
      }
    }
    for (const [reason, n] of this.#refused) {
      parts.push(this.texts("webhook.refused", { n, why: this.texts(`webhook.reason.${reason}`) }));
    }
    parts.push(...this.#notes.values());
    const isFine = this.#notes.size === 0;
    if (this.#last === null) {
      parts.push(this.texts("webhook.waiting"));
      this.node.status({ fill: isFine ? "grey" : "yellow", shape: "ring", text: parts.join(" · ") });
      return;
    }
    parts.push(clock(this.#last.at));
    const fill = isFine ? this.#last.fill : "yellow";
    this.node.status({ fill, shape: fill === "green" ? "dot" : "ring", text: parts.join(" · ") });
  }
}
