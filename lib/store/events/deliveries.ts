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

export interface NewEvent {
  /** The same for every copy of the event; unique in its account otherwise. */
  readonly key: string;
  readonly kind: "report" | "status" | "inbound";
  /** Digits of the recipient of a report or status, or of the sender of an inbound message. */
  readonly number: string | null;
  readonly clientMessageId: string | null;
  readonly transferId: string | null;
  /** Status of the service, such as `delivered`. */
  readonly status: string | null;
  /** Epoch ms of the event; null without a time. */
  readonly at: number | null;
  /** The event as JSON; null if texts are not stored. */
  readonly body: string | null;
  /** Null if the event changes no opt-out. */
  readonly optOut: OptOutChange | null;
  /** Null for events other than inbound messages. */
  readonly reply: NewReply | null;
}

export interface RequestOfEvent {
  readonly id: number;
  readonly node: string;
  readonly operation: string;
  /** null before its result. */
  readonly outcome: Outcome | null;
  /** True if an event settled its `unknown` outcome. */
  readonly wasUnknown: boolean;
}

export interface NotedEvents {
  /** Keys of the new events. */
  readonly fresh: readonly string[];
  /** `unknown` requests that events settled. */
  readonly settled: readonly { readonly id: number; readonly job: number; readonly part: number }[];
  /** Known requests by event key, for copies too. */
  readonly requests: ReadonlyMap<string, RequestOfEvent>;
}

export interface Delivery {
  readonly place: number;
  readonly number: string;
  /** Status of the highest rank, in lower case; null before the first event. */
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

/** Deliveries of recipients, updated by events in any order, early, late or repeated. */
export class Deliveries extends Repository {
  /**
   * Stores events with their effects: deliveries, settled `unknown` requests, opt-outs and replies. An event that precedes
   * the response of its request waits for it.
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
   * Links events of the last `age` ms to requests that another process settled meanwhile.
   */
  async link(age: number): Promise<NotedEvents["settled"]> {
    const now = this.clock.now();
    const [, ...applied] = await this.engine.run([call(LINK, now - age), ...applyEvents(now)]);
    await notifyResultOwners(this.engine, [applied[REPORTED_ROWS] ?? []]);
    return settledOf(applied[SETTLED_ROWS]);
  }

  /**
   * Reads a page of the recipients of a request.
   * @param after index of the last one before; -1 for the first page
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
