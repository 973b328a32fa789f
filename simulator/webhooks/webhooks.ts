import type { Clock } from "../util/clock";
import { maskUrl } from "../util/mask-url";
import { type NewWebhook, parseWebhook } from "./parse-webhook";
import type { RegisteredWebhook, WebhookKind } from "./webhook-records";
import type { WebhookSettings } from "./webhook-settings";
import { WebhookTarget } from "./webhook-target";

const MOST_WEBHOOKS = 100;
/** Addresses of single sends that are waiting at the same time. */
const MOST_CALLBACKS = 1000;

/** Who registered a webhook: a program, a control, or a send that names an address of its own. */
type Origin = "program" | "control" | "send";

/** A webhook with what calls it. */
export interface Webhook {
  readonly id: number;
  readonly kind: WebhookKind;
  readonly shownUrl: string;
  readonly target: WebhookTarget;
  origin: Origin;
  label: string;
  kept: boolean;
  /** Counts registrations, so that a handle from before the latest one has no say any more. */
  generation: number;
}

/** The hold of whoever registered a webhook. */
export interface WebhookHandle {
  readonly id: number;
  /**
   * Ends the registration and forgets what was not acknowledged. With `keep` the service goes on as if nothing had
   * happened, because it knows nothing of what its client does: the same address is expected to be registered again.
   * Without effect where that has happened already.
   */
  unregister(options?: { readonly keep?: boolean }): void;
}

/** The webhooks of one account. */
export class Webhooks {
  readonly #settings: WebhookSettings;
  readonly #clock: Clock;
  readonly #byAddress = new Map<string, Webhook>();
  #last = 0;

  constructor(settings: WebhookSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  get pending(): number {
    let pending = 0;
    for (const { target } of this.#byAddress.values()) pending += target.pending;
    return pending;
  }

  /** Those that are to hear of an event: all of a kind, or the address that a send named. */
  of(kind: WebhookKind, callback?: string | null): Webhook[] {
    if (typeof callback === "string") {
      return [this.#byAddress.get(addressOf(kind, callback)) ?? this.#addCallback(kind, callback)];
    }
    return [...this.#byAddress.values()].filter((each) => each.kind === kind && each.origin !== "send");
  }

  /** Whether a webhook of this kind and address was registered, by whomever. */
  isRegistered(kind: WebhookKind, url: string): boolean {
    const known = this.#byAddress.get(addressOf(kind, url));
    return known !== undefined && known.origin !== "send";
  }

  /** Throws a TypeError for a wrong one. The same address and kind again changes only how it is called. */
  register(input: unknown, origin: "program" | "control"): WebhookHandle {
    const webhook = parseWebhook(input);
    const key = addressOf(webhook.kind, webhook.url);
    const known = this.#byAddress.get(key);
    if ((!known || known.origin === "send") && this.#registered() >= MOST_WEBHOOKS) {
      throw new TypeError(`there are ${MOST_WEBHOOKS} webhooks already`);
    }
    const registered = known ?? this.#add(webhook, origin);
    const { headers = {}, label = "", cutEvery = this.#settings.cutEvery } = webhook;
    registered.target.style = { headers, cutEvery };
    // What a program registered stays its own.
    registered.origin = registered.origin === "program" ? "program" : origin;
    registered.label = label;
    registered.kept = false;
    registered.generation += 1;
    const { generation, id } = registered;
    return {
      id,
      unregister: ({ keep = false } = {}) => {
        if (registered.generation !== generation || this.#byAddress.get(key) !== registered) return;
        if (keep) registered.kept = true;
        else this.#forget(registered);
      },
    };
  }

  /** Forgets what was registered by a control, or the one with this id. */
  remove(id: number | null): number {
    const gone = [...this.#byAddress.values()].filter(
      (each) => each.origin !== "send" && (id === null ? each.origin === "control" : each.id === id),
    );
    for (const webhook of gone) this.#forget(webhook);
    return gone.length;
  }

  list(): RegisteredWebhook[] {
    return [...this.#byAddress.values()]
      .filter(({ origin }) => origin !== "send")
      .map(({ id, kind, shownUrl, label, kept, target }) => ({
        id,
        kind,
        url: shownUrl,
        headers: Object.fromEntries(Object.keys(target.style.headers).map((name) => [name, "***"])),
        label,
        kept,
        cutEvery: target.style.cutEvery,
        pending: target.pending,
      }));
  }

  /** Frees the address of a send once nothing waits for it. */
  tidy(webhook: Webhook): void {
    if (webhook.origin === "send" && webhook.target.pending === 0) this.#forget(webhook);
  }

  /** Forgets all that is under way without a word; webhooks that a program registered stay. */
  reset(): void {
    this.stop();
    for (const [key, { origin }] of this.#byAddress) {
      if (origin === "control") this.#byAddress.delete(key);
    }
  }

  /** Forgets all that is under way without a word, and no webhook. */
  stop(): void {
    for (const [key, { origin, target }] of this.#byAddress) {
      target.stop(null);
      if (origin === "send") this.#byAddress.delete(key);
    }
  }

  #registered(): number {
    return [...this.#byAddress.values()].filter(({ origin }) => origin !== "send").length;
  }

  #addCallback(kind: WebhookKind, url: string): Webhook {
    const callbacks = [...this.#byAddress.values()].filter(({ origin }) => origin === "send");
    if (callbacks.length >= MOST_CALLBACKS && callbacks[0]) this.#forget(callbacks[0]);
    const webhook = this.#add({ kind, url }, "send");
    webhook.target.style = { headers: {}, cutEvery: this.#settings.cutEvery };
    return webhook;
  }

  #add({ kind, url }: NewWebhook, origin: Origin): Webhook {
    this.#last += 1;
    const webhook: Webhook = {
      id: this.#last,
      kind,
      shownUrl: maskUrl(url),
      target: new WebhookTarget(url, this.#settings, this.#clock),
      origin,
      label: "",
      kept: false,
      generation: 0,
    };
    this.#byAddress.set(addressOf(kind, url), webhook);
    return webhook;
  }

  #forget(webhook: Webhook): void {
    for (const [key, each] of this.#byAddress) if (each === webhook) this.#byAddress.delete(key);
    webhook.target.stop("unregistered");
  }
}

function addressOf(kind: WebhookKind, url: string): string {
  return `${kind} ${url}`;
}
