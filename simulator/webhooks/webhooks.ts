import type { Clock } from "../util/clock";
import { maskUrl } from "../util/mask-url";
import { type NewWebhook, parseWebhook } from "./new-webhook";
import type { RegisteredWebhook, WebhookKind } from "./webhook-records";
import type { WebhookSettings } from "./webhook-settings";
import { WebhookTarget } from "./webhook-target";

const MAX_WEBHOOKS = 100;
const MAX_CALLBACKS = 1000;

type Origin = "program" | "control" | "send";

export interface Webhook {
  readonly id: number;
  readonly kind: WebhookKind;
  readonly shownUrl: string;
  readonly target: WebhookTarget;
  origin: Origin;
  label: string;
  kept: boolean;
  generation: number;
}

export interface WebhookHandle {
  readonly id: number;
  /** With `keep` events are still delivered until the same URL is registered again. */
  unregister(options?: { readonly keep?: boolean }): void;
}

export class Webhooks {
  readonly #byAddress = new Map<string, Webhook>();
  #last = 0;
  /** Headers of calls at the callback addresses of single sends. */
  callbackHeaders: Readonly<Record<string, string>> = {};

  constructor(
    private readonly settings: WebhookSettings,
    private readonly clock: Clock,
  ) {}

  get pending(): number {
    let pending = 0;
    for (const { target } of this.#byAddress.values()) pending += target.pending;
    return pending;
  }

  of(kind: WebhookKind, callback?: string | null): Webhook[] {
    if (typeof callback === "string") {
      return [this.#byAddress.get(addressOf(kind, callback)) ?? this.#addCallback(kind, callback)];
    }
    return this.#registered().filter((each) => each.kind === kind);
  }

  isRegistered(kind: WebhookKind, url: string): boolean {
    const known = this.#byAddress.get(addressOf(kind, url));
    return known !== undefined && known.origin !== "send";
  }

  /** Registers a webhook; the same URL and kind again only changes its settings. Throws a TypeError for an invalid one. */
  register(input: unknown, origin: "program" | "control"): WebhookHandle {
    const webhook = parseWebhook(input);
    const key = addressOf(webhook.kind, webhook.url);
    const known = this.#byAddress.get(key);
    if ((!known || known.origin === "send") && this.#registered().length >= MAX_WEBHOOKS) {
      throw new TypeError(`there are ${MAX_WEBHOOKS} webhooks already`);
    }
    const registered = known ?? this.#add(webhook, origin);
    const { headers = {}, label = "", cutEvery = this.settings.cutEvery } = webhook;
    registered.target.callSettings = { headers, cutEvery };
    // A control does not take over the registration of a program.
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
        else this.#remove(registered);
      },
    };
  }

  remove(id: number | null): number {
    const removed = this.#registered().filter((each) =>
      id === null ? each.origin === "control" : each.id === id,
    );
    for (const webhook of removed) this.#remove(webhook);
    return removed.length;
  }

  list(): RegisteredWebhook[] {
    return this.#registered().map(({ id, kind, shownUrl, label, kept, target }) => ({
      id,
      kind,
      url: shownUrl,
      headers: Object.fromEntries(Object.keys(target.callSettings.headers).map((name) => [name, "***"])),
      label,
      kept,
      cutEvery: target.callSettings.cutEvery,
      pending: target.pending,
    }));
  }

  tidy(webhook: Webhook): void {
    if (webhook.origin === "send" && webhook.target.pending === 0) this.#remove(webhook);
  }

  reset(): void {
    this.stop();
    for (const [key, { origin }] of this.#byAddress) {
      if (origin === "control") this.#byAddress.delete(key);
    }
  }

  stop(): void {
    for (const [key, { origin, target }] of this.#byAddress) {
      target.stop(null);
      if (origin === "send") this.#byAddress.delete(key);
    }
  }

  #registered(): Webhook[] {
    return [...this.#byAddress.values()].filter(({ origin }) => origin !== "send");
  }

  #addCallback(kind: WebhookKind, url: string): Webhook {
    const callbacks = [...this.#byAddress.values()].filter(({ origin }) => origin === "send");
    if (callbacks.length >= MAX_CALLBACKS && callbacks[0]) this.#remove(callbacks[0]);
    const webhook = this.#add({ kind, url }, "send");
    webhook.target.callSettings = { headers: this.callbackHeaders, cutEvery: this.settings.cutEvery };
    return webhook;
  }

  #add({ kind, url }: NewWebhook, origin: Origin): Webhook {
    this.#last += 1;
    const webhook: Webhook = {
      id: this.#last,
      kind,
      shownUrl: maskUrl(url),
      target: new WebhookTarget(url, this.settings, this.clock),
      origin,
      label: "",
      kept: false,
      generation: 0,
    };
    this.#byAddress.set(addressOf(kind, url), webhook);
    return webhook;
  }

  #remove(webhook: Webhook): void {
    for (const [key, each] of this.#byAddress) if (each === webhook) this.#byAddress.delete(key);
    webhook.target.stop("unregistered");
  }
}

function addressOf(kind: WebhookKind, url: string): string {
  return `${kind} ${url}`;
}
