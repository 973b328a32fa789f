import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { DecidedBy, Decision } from "./acknowledgements";
import { acknowledge, redeliver, refuse, whenSent } from "./responses";
import { getEventChannel } from "./event-channel";
import { classifyEvent, type EventKind, routeEvent } from "./classify-event";
import type { Entered } from "./event-ledger";
import type { Passed } from "./gates/gates";
import { PendingEvent, PendingEvents } from "./pending-events";
import type {
  Caller,
  ReceivedEvent,
  ReceiverParts,
  ReceiverSettings,
  SelfTestEnd,
  RedeliveryReason,
} from "./receiver-parts";
import { SELF_TEST_HEADER } from "./receiver-parts";

interface Delivery {
  readonly event: ReceivedEvent;
  readonly unique: boolean;
  /** Callers of copies. */
  readonly callers: ServerResponse[];
  readonly sentBack: () => void;
}

export class Receiver {
  /** Shared across a partial deploy. */
  #pending = new PendingEvents();
  #successor: Receiver | null = null;
  /** Events that are being stored or acknowledged, with the callers of their copies. */
  readonly #handedOver = new Map<string, ServerResponse[]>();
  /** Expected self-tests by token. Their requests pass the gates and are not emitted. */
  readonly selfTests = new Map<string, (end: SelfTestEnd) => void>();
  #open = false;
  #notifyIdle: (() => void) | null = null;

  constructor(
    private readonly settings: ReceiverSettings,
    private readonly parts: ReceiverParts,
  ) {}

  open(): void {
    this.#open = true;
  }

  /** Requests redelivery of every event until `open`. */
  pause(): void {
    this.#open = false;
  }

  /** Continues pending events of a previous receiver. */
  takeOver(previous: Receiver): void {
    this.#pending = previous.#pending;
    previous.#successor = this;
  }

  /** The latest receiver that replaced this one. */
  get #newest(): Receiver {
    const successor = this.#successor;
    return successor === null ? this : successor.#newest;
  }

  /** Waits up to `grace` ms for decisions, while a node can decide, and redelivers the rest. */
  async close(grace: number): Promise<void> {
    this.#open = false;
    const { acknowledgements } = this.parts;
    if (!this.#pending.isEmpty && acknowledgements.hasDeciders) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, grace);
        const unwatch = acknowledgements.onDeciderRemoved(() => !acknowledgements.hasDeciders && resolve());
        this.#notifyIdle = () => {
          clearTimeout(timer);
          unwatch();
          resolve();
        };
      });
    }
    for (const id of this.#pending.ids) {
      acknowledgements.giveUp(id);
    }
    this.#notifyIdle?.();
  }

  async handle(req: IncomingMessage, res: ServerResponse, caller: Caller = "service"): Promise<void> {
    const { [SELF_TEST_HEADER]: token } = req.headers;
    const selfTest = this.selfTests.get(String(token));
    this.selfTests.delete(String(token));
    if (!this.#open) {
      selfTest?.("not-running");
      redeliver(res);
      return;
    }
    const passed = await this.parts.gates.pass(req, caller === "simulator");
    if (!passed.ok) {
      if (selfTest) {
        selfTest(passed.reason);
      } else {
        this.parts.happened({ what: "refused", reason: passed.reason });
      }
      refuse(res, passed.reason, this.parts.gates.challenge);
    } else if (selfTest) {
      selfTest("passed");
      acknowledge(res);
    } else if (token !== undefined) {
      // A late test or one of another process. No service sends this header.
      refuse(res, "stray-self-test");
    } else if (this.#open) {
      await this.#accept(passed, res, caller !== "service");
    } else {
      redeliver(res);
    }
  }

  async #accept(
    { value: payload, raw, unparsed, req: request }: Passed,
    res: ServerResponse,
    simulated: boolean,
  ): Promise<void> {
    const { kind, port, sender, id } = classifyEvent(this.settings.kind, payload);
    const key = id ?? `sha256:${hash("sha256", raw, "base64url")}`;
    // Equal reports are one report, but identical texts without ids are separate messages.
    const unique = id !== null || kind === "status" || kind === "report";
    if (this.#isCopy(key, unique, res)) {
      this.parts.happened({ what: "duplicate" });
      return;
    }
    const channel = getEventChannel(kind, payload);
    const only = this.settings.channel;
    const route = routeEvent({ kind, port }, channel, only);
    if (only === null && this.#isUnwired(kind, route.port)) {
      this.#redeliver("nobody", [res]);
      return;
    }
    const event: ReceivedEvent = {
      kind,
      port: route.port,
      otherChannel: route.otherChannel,
      key,
      possibleDuplicate: false,
      sender,
      channel,
      payload,
      simulated,
      bytes: raw.length,
      unparsed,
      message: null,
      optOut: this.parts.optOuts?.({ kind, sender, payload }) ?? null,
      request,
      ack: null,
    };
    await this.#enter(event, port, unique, res);
  }

  #isCopy(key: string, unique: boolean, res: ServerResponse): boolean {
    const copies = this.#handedOver.get(key);
    if (copies !== undefined) {
      copies.push(res);
    } else if (this.parts.ledger.isCopy(key, unique)) {
      this.#confirm([res], key, unique);
    } else {
      return this.#pending.join(key, unique, res);
    }
    return true;
  }

  async #enter(event: ReceivedEvent, port: number, unique: boolean, res: ServerResponse): Promise<void> {
    const { ledger } = this.parts;
    const { kind, key, sender, payload, simulated, optOut, bytes } = event;
    const callers = [res];
    if (!ledger.hasRoom) {
      this.#redeliver("busy", callers);
      return;
    }
    if (unique) {
      this.#handedOver.set(key, callers);
    }
    let entered: Entered | null;
    try {
      entered = await ledger.enter({ kind, key, unique, sender, payload, simulated, bytes, optOut });
    } catch {
      entered = null;
    }
    if (unique) {
      this.#handedOver.delete(key);
    }
    const channel = entered?.channel ?? event.channel;
    const route = routeEvent({ kind, port }, channel, this.settings.channel);
    if (entered === null) {
      this.#redeliver("store", callers);
    } else if (entered.duplicate) {
      this.parts.happened({ what: "duplicate" });
      this.#confirm(callers, key, unique);
    } else if (entered.elsewhere) {
      this.#redeliver("elsewhere", callers);
    } else if (!this.#open || this.#isUnwired(kind, route.port)) {
      entered.sentBack();
      this.#redeliver(this.#open ? "nobody" : "closing", callers);
    } else {
      const { message, sentBack, seen: possibleDuplicate } = entered;
      const routed = { ...event, ...route, channel, possibleDuplicate, message };
      this.#pass({ event: routed, unique, callers, sentBack });
    }
  }

  /** Unrecognised events are acknowledged, because the service would redeliver them without end. */
  #isUnwired(kind: EventKind, port: number): boolean {
    return kind !== "unrecognised" && this.parts.audience(port) === "gone";
  }

  #pass(delivery: Delivery): void {
    const { kind, port } = delivery.event;
    const { flowDecidesWithin } = this.settings;
    // Without a wire, no node can decide.
    const decided = kind !== "unrecognised" && this.parts.audience(port) === "some";
    if (decided && flowDecidesWithin !== null) {
      this.#await(delivery, flowDecidesWithin);
    } else {
      this.#receive(delivery);
    }
  }

  #receive({ event, unique, callers, sentBack }: Delivery): void {
    const { key } = event;
    if (!this.#emit(event)) {
      sentBack();
      redeliverAll(callers);
      return;
    }
    if (unique) {
      this.#handedOver.set(key, callers);
    }
    // Node-RED delivers messages in the next tick, and a deploy in between would lose this one.
    setImmediate(() => {
      if (unique) {
        this.#handedOver.delete(key);
      }
      if (!this.#open) {
        sentBack();
        this.#redeliver("closing", callers);
        return;
      }
      if (unique) {
        this.parts.ledger.done(key);
      }
      this.#confirm(callers, key, unique);
    });
  }

  #await({ event, unique, callers, sentBack }: Delivery, timeout: number): void {
    const { acknowledgements } = this.parts;
    if (!acknowledgements.hasRoom) {
      sentBack();
      this.#redeliver("busy", callers);
      return;
    }
    const pending = new PendingEvent();
    for (const caller of callers) {
      pending.join(caller);
    }
    const id = acknowledgements.wait(
      timeout,
      (decision, by) => {
        if (decision === "redeliver") {
          sentBack();
        }
        this.#decided(event.key, unique, pending, decision, by);
      },
      event.bytes,
    );
    this.#pending.add(event.key, id, pending);
    if (!this.#emit({ ...event, ack: id })) {
      acknowledgements.decide(id, "redeliver");
    }
  }

  #emit(event: ReceivedEvent): boolean {
    try {
      this.parts.emit(event);
      const { kind, otherChannel } = event;
      this.parts.happened({ what: "event", kind, otherChannel });
      return true;
    } catch {
      this.parts.happened({ what: "sent-back", by: "error" });
      return false;
    }
  }

  #decided(key: string, unique: boolean, pending: PendingEvent, decision: Decision, by: DecidedBy): void {
    this.#pending.remove(key, pending);
    const { callers, cut } = pending.end();
    const newest = this.#newest;
    if (decision === "redeliver") {
      newest.#redeliver(by, callers);
    } else {
      if (unique) {
        newest.parts.ledger.done(key);
      }
      for (let each = 0; !unique && each < cut; each++) {
        newest.parts.ledger.cut(key);
      }
      this.#confirm(callers, key, unique);
    }
    if (this.#pending.isEmpty) {
      newest.#notifyIdle?.();
    }
  }

  #redeliver(by: RedeliveryReason, callers: readonly ServerResponse[]): void {
    this.parts.happened({ what: "sent-back", by });
    redeliverAll(callers);
  }

  /** Keeps the key of an event without a unique key only if the response was cut. */
  #confirm(callers: readonly ServerResponse[], key: string, unique: boolean): void {
    for (const caller of callers) {
      if (!unique) {
        whenSent(caller, (written) => {
          if (!written) {
            this.#newest.parts.ledger.cut(key);
          }
        });
      }
      acknowledge(caller);
    }
  }
}

function redeliverAll(callers: readonly ServerResponse[]): void {
  for (const caller of callers) {
    redeliver(caller);
  }
}
