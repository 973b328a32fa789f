import { Agent } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { after, type Clock } from "../util/clock";
import type { Judgement } from "./judge-acknowledgement";
import { type Cut, postEvent } from "./post-event";
import type { Changeable, DropReason, SimulatedDelivery } from "./webhook-records";
import type { WebhookSettings } from "./webhook-settings";

const MOST_ATTEMPTS_SHOWN = 20;

/** A delivery with what is needed as long as it is not over. */
export interface OpenDelivery {
  readonly record: Changeable<SimulatedDelivery>;
  /** The same bytes at every try. */
  readonly body: Buffer;
  /** Milliseconds since the epoch; null before that. */
  firstTry: number | null;
  /** Called each time its record has changed by a try or by being dropped. */
  readonly changed: () => void;
}

/** How a webhook is called from now on. */
export interface CallStyle {
  readonly headers: Readonly<Record<string, string>>;
  readonly cutEvery: number;
}

/**
 * One address that events go to: a queue, some connections at a time, and for each event one try after the other
 * until it is acknowledged or its time is over.
 */
export class WebhookTarget {
  style: CallStyle = { headers: {}, cutEvery: 0 };
  readonly #url: URL;
  readonly #settings: WebhookSettings;
  readonly #clock: Clock;
  readonly #agent: Agent;
  /** In the order in which they are due. */
  #ready: OpenDelivery[] = [];
  #taken = 0;
  readonly #resting = new Map<OpenDelivery, () => void>();
  readonly #inFlight = new Map<OpenDelivery, () => void>();
  #tries = 0;
  #cuts = 0;

  constructor(url: string, settings: WebhookSettings, clock: Clock) {
    this.#url = new URL(url);
    this.#settings = settings;
    this.#clock = clock;
    const options = { keepAlive: true, maxSockets: settings.connections };
    this.#agent = this.#url.protocol === "https:" ? new TlsAgent(options) : new Agent(options);
  }

  /** Deliveries that are not over. */
  get pending(): number {
    return this.#ready.length - this.#taken + this.#resting.size + this.#inFlight.size;
  }

  add(delivery: OpenDelivery): void {
    this.#ready.push(delivery);
    this.#pump();
  }

  /** Ends everything under way and forgets it; with a reason that is said of each delivery. */
  stop(reason: DropReason | null): void {
    const open = [...this.#inFlight.keys(), ...this.#ready.slice(this.#taken), ...this.#resting.keys()];
    for (const cancel of [...this.#inFlight.values(), ...this.#resting.values()]) cancel();
    this.#inFlight.clear();
    this.#resting.clear();
    this.#ready = [];
    this.#taken = 0;
    this.#tries = 0;
    this.#cuts = 0;
    this.#agent.destroy();
    if (reason === null) return;
    for (const { record, changed } of open) {
      Object.assign(record, { state: "dropped", dropped: reason, nextTry: null });
      changed();
    }
  }

  #pump(): void {
    while (this.#inFlight.size < this.#settings.connections) {
      const next = this.#ready[this.#taken];
      if (!next) break;
      this.#taken += 1;
      this.#try(next);
    }
    // Moving the rest at every step would cost more the longer the queue is.
    if (this.#taken * 2 > this.#ready.length) {
      this.#ready = this.#ready.slice(this.#taken);
      this.#taken = 0;
    }
  }

  #try(delivery: OpenDelivery): void {
    const at = this.#clock.now();
    delivery.firstTry ??= at;
    delivery.record.nextTry = null;
    const abort = postEvent(
      {
        url: this.#url,
        headers: this.style.headers,
        body: delivery.body,
        agent: this.#agent,
        timeout: this.#settings.timeout,
        cut: this.#nextCut(),
      },
      (judgement) => {
        this.#inFlight.delete(delivery);
        this.#note(delivery, at, judgement);
        this.#pump();
      },
    );
    this.#inFlight.set(delivery, abort);
  }

  /** The two ways take turns. */
  #nextCut(): Cut | null {
    this.#tries += 1;
    const { cutEvery } = this.style;
    if (cutEvery === 0 || this.#tries % cutEvery !== 0) return null;
    this.#cuts += 1;
    return this.#cuts % 2 === 1 ? "after-writing" : "at-answer";
  }

  #note(delivery: OpenDelivery, at: number, judgement: Judgement): void {
    const { record, changed } = delivery;
    record.tries += 1;
    record.attempts = [...record.attempts, { at, ...judgement }].slice(-MOST_ATTEMPTS_SHOWN);
    if (judgement.problem === null) record.state = "acknowledged";
    else this.#planRetry(delivery, delivery.firstTry ?? at);
    changed();
  }

  #planRetry(delivery: OpenDelivery, firstTry: number): void {
    const { firstRetry, longestRetry, giveUpAfter } = this.#settings;
    const { record } = delivery;
    const wait = Math.min(firstRetry * 2 ** (record.tries - 1), longestRetry);
    const due = this.#clock.now() + wait;
    if (due > firstTry + giveUpAfter) {
      record.state = "given-up";
      return;
    }
    record.nextTry = due;
    const cancel = after(this.#clock, wait, () => {
      this.#resting.delete(delivery);
      this.add(delivery);
    });
    this.#resting.set(delivery, cancel);
  }
}
