import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Acknowledgements, DecidedBy, Decision } from "./acknowledgements";
import { acknowledge, redeliver, refuse } from "./answers";
import { classifyEvent, type EventKind, type ReceiverKind } from "./classify-event";
import type { DuplicateMemory } from "./duplicate-memory";
import type { Gates, Passed } from "./gates";
import { PendingEvent, PendingEvents } from "./pending-events";
import type { Unparsed } from "./parse-json";
import type { RefusalReason } from "./refusals";
import { SELF_TEST_HEADER, SelfTestExpectations } from "./self-test-expectations";
import { whenAnswered } from "./when-answered";

/** An event for the flow. */
export interface ReceivedEvent {
  readonly kind: EventKind;
  /** Output of the node, from 0. */
  readonly port: number;
  /** The same for every redelivery of the event. */
  readonly key: string;
  /** The flow may have received a copy before. */
  readonly possibleDuplicate: boolean;
  /** Id by which a flow decides about it; null where it is acknowledged on receipt. */
  readonly ack: string | null;
  readonly sender: string | null;
  readonly payload: unknown;
  /** Why the payload is the text of the body; null where it is the value. */
  readonly unparsed: Unparsed | null;
  /** The caller, without credentials. */
  readonly request: Passed["req"];
}

/** Reports of a receiver, for counters and the sidebar. */
export type ReceiverEvent =
  | { readonly what: "event"; readonly kind: EventKind }
  | { readonly what: "duplicate" }
  | { readonly what: "refused"; readonly reason: RefusalReason }
  | { readonly what: "sent-back"; readonly by: DecidedBy | "error" | "busy" | "nobody" };

export interface ReceiverSettings {
  readonly kind: ReceiverKind;
  /** ms that a flow may take to decide; null: acknowledged on receipt. */
  readonly flowDecidesWithin: number | null;
}

export interface ReceiverParts {
  readonly gates: Gates;
  readonly memory: DuplicateMemory;
  readonly acknowledgements: Acknowledgements;
  /** The nodes wired to a port: `some` run; `none` is wired; all wired ones are `gone` or disabled. */
  readonly audience: (port: number) => "some" | "none" | "gone";
  /** Delivers an event to the flow. If it throws, the service is asked to deliver the event again. */
  readonly emit: (event: ReceivedEvent) => void;
  readonly happened: (event: ReceiverEvent) => void;
}

/**
 * Takes the events of one webhook: gates, duplicates, delivery to the flow, acknowledgement. An event that
 * did not certainly reach a flow is not acknowledged, so that the service delivers it again.
 */
export class Receiver {
  readonly #settings: ReceiverSettings;
  readonly #parts: ReceiverParts;
  /** Shared with the receiver of the node before a partial deploy. */
  #pending = new PendingEvents();
  #successor: Receiver | null = null;
  /** Events that the next turn will acknowledge, with the callers who brought copies in this one. */
  readonly #handedOver = new Map<string, ServerResponse[]>();
  /** Requests with such a token pass the gates like any other, but are not delivered. */
  readonly selfTests = new SelfTestExpectations();
  #open = false;
  #idle: (() => void) | null = null;

  constructor(settings: ReceiverSettings, parts: ReceiverParts) {
    this.#settings = settings;
    this.#parts = parts;
  }

  /** Starts to deliver events to the flow. */
  open(): void {
    this.#open = true;
  }

  /** Sends back every event until `open` is called. */
  pause(): void {
    this.#open = false;
  }

  /** Takes over the events that wait for a decision. Their duplicates are then kept here. */
  takeOver(predecessor: Receiver): void {
    this.#pending = predecessor.#pending;
    predecessor.#successor = this;
  }

  /** The latest receiver that replaced this one. */
  get #newest(): Receiver {
    const successor = this.#successor;
    return successor === null ? this : successor.#newest;
  }

  /**
   * Takes no more events, and waits for pending decisions of the flow: at most `grace` ms, and only while
   * a node that can decide exists. Undecided events are sent back.
   */
  async close(grace: number): Promise<void> {
    this.#open = false;
    const { acknowledgements } = this.#parts;
    if (!this.#pending.isEmpty && acknowledgements.hasDeciders) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, grace);
        const unwatch = acknowledgements.onLeave(() => !acknowledgements.hasDeciders && resolve());
        this.#idle = () => {
          clearTimeout(timer);
          unwatch();
          resolve();
        };
      });
    }
    for (const id of this.#pending.ids) {
      acknowledgements.giveUp(id);
    }
    this.#idle?.();
  }

  /**
   * Answers one request. Never rejects.
   * @param trusted the caller is authenticated in another way
   */
  async handle(req: IncomingMessage, res: ServerResponse, trusted = false): Promise<void> {
    const selfTest = this.selfTests.take(req);
    if (!this.#open) {
      selfTest?.("not-running");
      redeliver(res, req);
      return;
    }
    const passed = await this.#parts.gates.pass(req, trusted);
    if (!passed.ok) {
      if (selfTest) {
        selfTest(passed.reason);
      } else {
        this.#parts.happened({ what: "refused", reason: passed.reason });
      }
      refuse(req, res, passed.reason, this.#parts.gates.challenge);
    } else if (selfTest) {
      selfTest("passed");
      acknowledge(res);
    } else if (req.headers[SELF_TEST_HEADER] !== undefined) {
      // A test of another process, or a late one. No service sends this header.
      refuse(req, res, "stray-self-test");
    } else if (this.#open) {
      this.#take(passed, res);
    } else {
      redeliver(res);
    }
  }

  #take(passed: Passed, res: ServerResponse): void {
    const { memory } = this.#parts;
    const { kind, port, sender, id } = classifyEvent(this.#settings.kind, passed.value);
    const key = id ?? `sha256:${hash("sha256", passed.raw, "base64url")}`;
    // Equal reports are one report. Identical texts without ids are separate messages.
    const unique = id !== null || kind === "status" || kind === "report";
    if (unique ? memory.isDone(key) : memory.takeCut(key)) {
      this.#parts.happened({ what: "duplicate" });
      this.#confirm(res, key, unique);
      return;
    }
    if (this.#joins(key, unique, res)) {
      this.#parts.happened({ what: "duplicate" });
      return;
    }
    // A redelivered event stays unrecognised, so it is acknowledged: else it would be delivered again without end.
    const isRecognised = kind !== "unrecognised";
    const audience = this.#parts.audience(port);
    if (audience === "gone" && isRecognised) {
      this.#parts.happened({ what: "sent-back", by: "nobody" });
      redeliver(res);
      return;
    }
    // No node can decide about an event on a port that is not wired.
    const flowDecidesWithin = audience === "some" && isRecognised ? this.#settings.flowDecidesWithin : null;
    const event = {
      kind,
      port,
      key,
      possibleDuplicate: memory.wasSeen(key),
      sender,
      payload: passed.value,
      unparsed: passed.unparsed,
      request: passed.req,
      ack: null,
    };
    if (flowDecidesWithin === null) {
      this.#receive(event, unique, res);
    } else {
      this.#await(event, unique, res, flowDecidesWithin);
    }
  }

  /** Whether the event is a copy of one that waits for its decision. The copy then shares its answer. */
  #joins(key: string, unique: boolean, res: ServerResponse): boolean {
    const copies = this.#handedOver.get(key);
    if (copies !== undefined) {
      copies.push(res);
      return true;
    }
    return this.#pending.join(key, unique, res);
  }

  #receive(event: ReceivedEvent, unique: boolean, res: ServerResponse): void {
    if (!this.#emit(event)) {
      redeliver(res);
      return;
    }
    if (unique) {
      this.#handedOver.set(event.key, []);
    }
    // Node-RED hands messages over in the next turn; a deploy in between would lose this one.
    setImmediate(() => {
      const callers = [res, ...(this.#handedOver.get(event.key) ?? [])];
      this.#handedOver.delete(event.key);
      if (!this.#open) {
        this.#parts.happened({ what: "sent-back", by: "closing" });
      } else if (unique) {
        this.#parts.memory.noteDone(event.key);
      }
      for (const caller of callers) {
        if (this.#open) {
          this.#confirm(caller, event.key, unique);
        } else {
          redeliver(caller);
        }
      }
    });
  }

  #await(event: ReceivedEvent, unique: boolean, res: ServerResponse, timeout: number): void {
    const { acknowledgements } = this.#parts;
    if (!acknowledgements.hasRoom) {
      this.#parts.happened({ what: "sent-back", by: "busy" });
      redeliver(res);
      return;
    }
    const pending = new PendingEvent(res);
    const id = acknowledgements.wait(timeout, (decision, by) =>
      this.#decided(event.key, unique, pending, decision, by),
    );
    this.#pending.add(event.key, id, pending);
    if (!this.#emit({ ...event, ack: id })) {
      acknowledgements.decide(id, "redeliver");
    }
  }

  #emit(event: ReceivedEvent): boolean {
    this.#parts.memory.noteSeen(event.key);
    try {
      this.#parts.emit(event);
      this.#parts.happened({ what: "event", kind: event.kind });
      return true;
    } catch {
      this.#parts.happened({ what: "sent-back", by: "error" });
      return false;
    }
  }

  #decided(key: string, unique: boolean, pending: PendingEvent, decision: Decision, by: DecidedBy): void {
    this.#pending.remove(key, pending);
    const { callers, cut } = pending.end();
    const newest = this.#newest;
    const { memory, happened } = newest.#parts;
    if (decision === "redeliver") {
      happened({ what: "sent-back", by });
      for (const res of callers) {
        redeliver(res);
      }
    } else {
      if (unique) {
        memory.noteDone(key);
      }
      for (let each = 0; !unique && each < cut; each++) {
        memory.noteCut(key);
      }
      for (const res of callers) {
        this.#confirm(res, key, unique);
      }
    }
    if (this.#pending.isEmpty) {
      newest.#idle?.();
    }
  }

  /** Acknowledges. The key of an event without a unique key is kept only if the answer was cut off. */
  #confirm(res: ServerResponse, key: string, unique: boolean): void {
    if (!unique) {
      whenAnswered(res, (written) => {
        if (!written) {
          this.#newest.#parts.memory.noteCut(key);
        }
      });
    }
    acknowledge(res);
  }
}
