import { Agent } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { after, type Clock } from "../util/clock";
import { type AcknowledgementResult, type Cut, postEvent } from "./post-event";
import type { Changeable, DropReason, SimulatedDelivery } from "./webhook-records";
import type { WebhookSettings } from "./webhook-settings";

const MAX_ATTEMPTS_SHOWN = 20;

export interface OpenDelivery {
  readonly record: Changeable<SimulatedDelivery>;
  readonly body: Buffer;
  firstTry: number | null;
  readonly changed: () => void;
}

export interface CallSettings {
  readonly headers: Readonly<Record<string, string>>;
  readonly cutEvery: number;
}

/** One webhook URL: a queue, a limited number of connections, and repeated attempts until an event is acknowledged. */
export class WebhookTarget {
  callSettings: CallSettings = { headers: {}, cutEvery: 0 };
  readonly #url: URL;
  readonly #agent: Agent;
  readonly #ready = new Set<OpenDelivery>();
  readonly #waiting = new Map<OpenDelivery, () => void>();
  readonly #inFlight = new Map<OpenDelivery, () => void>();
  #tries = 0;
  #cuts = 0;

  constructor(
    url: string,
    private readonly settings: WebhookSettings,
    private readonly clock: Clock,
  ) {
    this.#url = new URL(url);
    const options = { keepAlive: true, maxSockets: settings.connections };
    this.#agent = this.#url.protocol === "https:" ? new TlsAgent(options) : new Agent(options);
  }

  get pending(): number {
    return this.#ready.size + this.#waiting.size + this.#inFlight.size;
  }

  add(delivery: OpenDelivery): void {
    this.#ready.add(delivery);
    this.#pump();
  }

  stop(reason: DropReason | null): void {
    const open = [...this.#inFlight.keys(), ...this.#ready, ...this.#waiting.keys()];
    for (const cancel of [...this.#inFlight.values(), ...this.#waiting.values()]) cancel();
    this.#inFlight.clear();
    this.#waiting.clear();
    this.#ready.clear();
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
    for (const next of this.#ready) {
      if (this.#inFlight.size >= this.settings.connections) break;
      this.#ready.delete(next);
      this.#try(next);
    }
  }

  #try(delivery: OpenDelivery): void {
    const at = this.clock.now();
    delivery.firstTry ??= at;
    delivery.record.nextTry = null;
    const abort = postEvent(
      {
        url: this.#url,
        headers: this.callSettings.headers,
        body: delivery.body,
        agent: this.#agent,
        timeout: this.settings.timeout,
        cut: this.#nextCut(),
      },
      (result) => {
        this.#inFlight.delete(delivery);
        this.#recordAttempt(delivery, at, result);
        this.#pump();
      },
    );
    this.#inFlight.set(delivery, abort);
  }

  #nextCut(): Cut | null {
    this.#tries += 1;
    const { cutEvery } = this.callSettings;
    if (cutEvery === 0 || this.#tries % cutEvery !== 0) return null;
    this.#cuts += 1;
    return this.#cuts % 2 === 1 ? "after-writing" : "at-answer";
  }

  #recordAttempt(delivery: OpenDelivery, at: number, result: AcknowledgementResult): void {
    const { record, changed } = delivery;
    record.tries += 1;
    record.attempts = [...record.attempts, { at, ...result }].slice(-MAX_ATTEMPTS_SHOWN);
    if (result.problem === null) record.state = "acknowledged";
    else this.#planRetry(delivery, delivery.firstTry ?? at);
    changed();
  }

  #planRetry(delivery: OpenDelivery, firstTry: number): void {
    const { firstRetry, longestRetry, giveUpAfter } = this.settings;
    const { record } = delivery;
    const wait = Math.min(firstRetry * 2 ** (record.tries - 1), longestRetry);
    const due = this.clock.now() + wait;
    if (due > firstTry + giveUpAfter) {
      record.state = "given-up";
      return;
    }
    record.nextTry = due;
    const cancel = after(this.clock, wait, () => {
      this.#waiting.delete(delivery);
      this.add(delivery);
    });
    this.#waiting.set(delivery, cancel);
  }
}
