import type { OptOutChange } from "../../shared/opt-outs/opt-out-change";
import type { Outcome } from "../../shared/outcomes";
import { applyEvents, REPORTED_ROWS, SETTLED_ROWS } from "./apply-events";
import { deliveryRank } from "./delivery-rank";
import type { Row } from "../engine/engine";
import { call, rowsOf } from "../engine/query";
import { Repository } from "../engine/repository";
import { optOutChanges } from "../guards/opt-out-changes";
import { each, lookUp } from "../schema/sql";
import { checked, requestOfEvent } from "../schema/expressions";
import { statement } from "../schema/statement";
import { replyChanges } from "../waits/reply-changes";
import type { NewReply } from "../waits/wait";
import { notifyResultOwners } from "../waits/waits-topic";
import { scopeOfMessage } from "../schema/scope";

/** An event of a webhook, as far as the ledger needs it. */
export interface NewEvent {
  /** The same for every copy of the event; unique in its account otherwise. */
  readonly key: string;
  readonly kind: "report" | "status" | "inbound";
  /** Digits of the recipient of a report or status, or of the sender of an inbound message. */
  readonly number: string | null;
  readonly clientMessageId: string | null;
  readonly transferId: string | null;
  /** The service's word for a report or status, such as `delivered`. */
  readonly status: string | null;
  /** Epoch ms by the event itself; null where it has no time. */
  readonly at: number | null;
  /** The event as JSON where texts are kept; null otherwise. */
  readonly body: string | null;
  /** What an inbound message changes in the account's list of opt-outs; null for any other event. */
  readonly optOut: OptOutChange | null;
  /** An inbound message that somebody may wait for; null for any other event. */
  readonly reply: NewReply | null;
}

/** The request of a sent message that an event belongs to. */
export interface RequestOfEvent {
  readonly id: number;
  /** Id of the node that sent it. */
  readonly node: string;
  /** By which it was sent. */
  readonly operation: string;
  /** null before its result. */
  readonly outcome: Outcome | null;
  /** Its outcome was `unknown` until an event came. */
  readonly wasUnknown: boolean;
}

/** What events have changed. */
export interface NotedEvents {
  /** Keys of the events that are new; the others were here before. */
  readonly fresh: readonly string[];
  /** Requests that were `unknown` and are `sent` now. */
  readonly settled: readonly { readonly id: number; readonly job: number; readonly part: number }[];
  /** Requests of the events by their keys, copies included; an event whose request is not known yet has none. */
  readonly requests: ReadonlyMap<string, RequestOfEvent>;
}

/** Where one recipient stands. */
export interface Delivery {
  readonly place: number;
  readonly number: string;
  /** The furthest status so far, in lower case; null before the first event. */
  readonly status: string | null;
  readonly at: number | null;
}

// Entries: key, kind, number, client message id, transfer id, status, rank, at, body.
const ADD = statement("events_add")`
    INSERT INTO events (account, event_key, kind, number, client_message_id, transfer_id, status, rank, at,
      received_at, body, applied, request)
    SELECT CAST(?2 AS text), e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3, e.value ->> 4, e.value ->> 5,
      CAST(e.value ->> 6 AS integer), CAST(e.value ->> 7 AS bigint), CAST(?3 AS bigint), e.value ->> 8, 0,
      CASE WHEN e.value ->> 1 = 'inbound' THEN NULL ELSE 
        ${requestOfEvent("?2", "e.value ->> 4", "e.value ->> 3", "e.value ->> 2")} END
    FROM ${each("?1")} WHERE true
    ON CONFLICT (account, event_key) DO NOTHING RETURNING event_key`;

/** What a copy of it must not change again. */
const FINISH_INBOUND = statement("events_finish_inbound")`
    UPDATE events SET applied = 1 WHERE account = ?2 AND applied = 0 AND kind = 'inbound'
      AND event_key IN (SELECT e.value ->> 0 FROM ${each("?1")})`;

const REQUESTS = statement("events_requests")`
    SELECT v.event_key AS key, m.id, m.operation, m.outcome, m.settled_by AS "settledBy", m.node
    FROM ${each("?1")} CROSS JOIN events v ${lookUp("messages", "m", "m.id = v.request")}
    WHERE v.account = ?2 AND v.event_key = e.value ->> 0`;

const LINK = statement("events_link")`
    UPDATE events SET request = (
      SELECT m.id FROM messages m WHERE m.transfer_id = events.transfer_id AND ${scopeOfMessage("m")} = events.account
      ORDER BY m.id DESC LIMIT 1)
    WHERE request IS NULL AND kind <> 'inbound' AND transfer_id IS NOT NULL AND received_at >= ?1
      AND EXISTS (SELECT 1 FROM messages m
        WHERE m.transfer_id = events.transfer_id AND ${scopeOfMessage("m")} = events.account)`;

const OF_REQUEST = statement("deliveries_of_request")`
    SELECT CAST(0 AS integer) AS place, m.recipient AS number, m.delivery AS status, m.delivery_at AS at FROM messages m
    WHERE m.id = ?1 AND ?2 < 0 AND ${checked("m.recipient")} IS NOT NULL
    UNION ALL
    SELECT c.idx, c.recipient, c.delivery, c.delivery_at FROM recipients c WHERE c.request = ?1 AND c.idx > ?2
    ORDER BY place LIMIT ?3`;

/** The ledger of recipients, moved by events in any order, early, late or twice. */
export class Deliveries extends Repository {
  /**
   * Writes events and moves what they are about: the delivery of the recipient, an `unknown` request, which was sent since the service
   * reports on it, and the list of opt-outs, by the first copy of an event. An event before its request's answer waits for it.
   */
  async note(scope: string, events: readonly NewEvent[]): Promise<NotedEvents> {
    const now = this.clock.now();
    const entries = events.map(({ key, kind, number, clientMessageId, transferId, status, at, body }) => {
      const word = status?.trim().toLowerCase() ?? null;
      const rank = word === null ? 0 : deliveryRank(word);
      return [key, kind, number, clientMessageId, transferId, word, rank, at ?? now, body];
    });
    const list = JSON.stringify(entries);
    const replies = events.flatMap(({ key, number, at, reply }) =>
      reply === null || number === null ? [] : [{ key, number, at: Math.min(at ?? now, now), reply }],
    );
    const optOuts = events.flatMap(({ key, optOut }) => (optOut === null ? [] : [{ key, change: optOut }]));
    // The first call names the result owners of waits that got a reply.
    const inbound = [
      ...(replies.length > 0 ? [replyChanges(scope, now, replies)] : []),
      ...optOutChanges(scope, now, optOuts),
    ];
    if (inbound.length > 0) {
      inbound.push(call(FINISH_INBOUND, list, scope));
    }
    const before = [call(ADD, list, scope, now), ...inbound];
    const results = await this.engine.run([...before, ...applyEvents(now), call(REQUESTS, list, scope)]);
    const [fresh = [], asked = []] = results;
    const applied = results.slice(before.length);
    await notifyResultOwners(this.engine, [replies.length > 0 ? asked : [], applied[REPORTED_ROWS] ?? []]);
    return {
      fresh: fresh.map((row) => String(row.event_key)),
      settled: settledOf(applied[SETTLED_ROWS]),
      requests: requestsOf(applied.at(-1)),
    };
  }

  /**
   * Gives events of the last `age` ms their request where that came to be known at the same moment, in another process.
   * To be called from time to time where several processes share the store.
   */
  async link(age: number): Promise<NotedEvents["settled"]> {
    const now = this.clock.now();
    const [, ...applied] = await this.engine.run([call(LINK, now - age), ...applyEvents(now)]);
    await notifyResultOwners(this.engine, [applied[REPORTED_ROWS] ?? []]);
    return settledOf(applied[SETTLED_ROWS]);
  }

  /**
   * A page of the recipients of a request.
   * @param after place of the last one of the page before; -1 for the first page
   */
  ofRequest(request: number, after: number, most: number): Promise<readonly Delivery[]> {
    return rowsOf<Delivery>(this.engine, OF_REQUEST, request, after, most);
  }
}

function requestsOf(rows: readonly Row[] = []): NotedEvents["requests"] {
  type Found = Omit<RequestOfEvent, "wasUnknown"> & {
    readonly key: string;
    readonly settledBy: string | null;
  };
  const found = rows as unknown as readonly Found[];
  return new Map(
    found.map(({ key, id, node, operation, outcome, settledBy }) => {
      return [key, { id, node, operation, outcome, wasUnknown: settledBy === "event" }];
    }),
  );
}

const settledOf = (rows: readonly Row[] = []): NotedEvents["settled"] =>
  rows as unknown as NotedEvents["settled"];
