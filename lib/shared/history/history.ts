import type { MessageRecord, TimelineStep } from "./message-record";
import type { ShownOutcome } from "../outcomes";

export const READ_HISTORY = "messaging-history.read";
export const WRITE_HISTORY = "messaging-history.write";
/** The permission to pause, resume, cancel and decide about orphaned jobs. */
export const WRITE_QUEUE = "messaging-queue.write";
export const WRITE_SENDING = "messaging-sending.write";
/** The queue contains no numbers. */
export const READ_QUEUE = "flows.read";

export const historyPath = (accountId: string, action: HistoryAction): string =>
  `messaging-account/${encodeURIComponent(accountId)}/history/${action}`;
export const queuePath = (accountId: string, action: QueueAction | "save" | "look" | "instances"): string =>
  `messaging-account/${encodeURIComponent(accountId)}/queue/${action}`;

export const sendingPath = (accountId: string, action: "look" | SendingAction): string =>
  `messaging-account/${encodeURIComponent(accountId)}/sending/${action}`;

/** `resume` attempts refused sign-ins at once. */
export const SENDING_ACTIONS = ["stop", "go-on", "resume"] as const;
export type SendingAction = (typeof SENDING_ACTIONS)[number];

export interface SendingView {
  /** ISO 8601 in UTC. Null if no user stopped sending. */
  readonly stoppedSince: string | null;
  /** Whether the deployed settings stop sending until the next deploy. */
  readonly stoppedBySettings: boolean;
  /** A sentence for each sign-in that the service refuses. */
  readonly refused: readonly string[];
  /** Unsent requests without cancelled ones. */
  readonly waiting: number;
  readonly refusedCalls: RefusedCalls;
}

/** Calls that the webhooks of an account refused. */
export interface RefusedCalls {
  readonly count: number;
  /** ISO 8601 in UTC, since when they are counted. */
  readonly since: string;
  /** The last reasons, the latest first. */
  readonly reasons: readonly {
    /** Also the key of its text. */
    readonly reason: string;
    /** HTTP status of the response. */
    readonly code: number;
    readonly times: number;
    /** ISO 8601 in UTC. */
    readonly at: string;
    /** Id of the node that refused the last call. */
    readonly node: string;
  }[];
}

export type HistoryAction =
  | "search"
  | "message"
  | "export"
  | "delete-number"
  | "plan-again"
  | "send-again"
  | "conversation";

/** Actions on one job. `cancel` also applies to the whole queue. */
export const QUEUE_ACTIONS = ["pause", "resume", "cancel", "use-address"] as const;
export const STRANDED_ACTIONS = ["send", "discard"] as const;
export type QueueAction = (typeof QUEUE_ACTIONS)[number] | (typeof STRANDED_ACTIONS)[number];

export const HISTORY_PAGE = 50;
export const QUEUE_PAGE = 20;

export const LONGEST_SEARCHED = 200;

/** All conditions must match. */
export interface HistoryQuery {
  /** In any usual spelling. */
  readonly number?: string;
  /** Part of a name, in any case. */
  readonly name?: string;
  readonly clientMessageId?: string;
  readonly transferId?: string;
  /** Path of the node, if inside a subflow. */
  readonly node?: string;
  /** `skipped` replaces the outcome of a message that a rule blocked. */
  readonly outcome?: ShownOutcome;
  readonly from?: number;
  readonly to?: number;
  /** Id of a message with all its requests. */
  readonly job?: number;
}

/** Where the previous page ended, in each direction. */
export interface HistoryPlace {
  readonly sent: readonly [takenAt: number, request: number, place: number] | null;
  readonly received: readonly [receivedAt: number, event: number] | null;
}

/** A message that a person wrote. Its text is in the conversation. */
export interface ReceivedItem {
  readonly direction: "received";
  readonly event: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** With plus; null for a messenger without phone numbers. */
  readonly sender: string | null;
  /** `sms`, `whatsapp` or `rcs`; null if unknown. */
  readonly channel: string | null;
  readonly simulated: boolean;
}

export interface SentItem extends MessageRecord {
  readonly direction: "sent";
  /** The recipient wrote before the next message to the number. */
  readonly replied: boolean;
  /** A few words about a failure. */
  readonly reason: string | null;
}

export const MOST_LOOKED = 10_000;

export const MOST_TALLIED = 10_000;

/** Counts sent messages. */
export interface HistoryTally {
  readonly count: number;
  /** Whether there are more than `count`, to which the other counts apply. */
  readonly more: boolean;
  readonly outcomes: Readonly<Partial<Record<ShownOutcome, number>>>;
  readonly open: number;
}

export interface HistoryPage {
  /** Newest first. */
  readonly entries: readonly (SentItem | ReceivedItem)[];
  /** Only on the first page, unless it needs too long a scan. */
  readonly tally?: HistoryTally;
  /** Null on the last page. */
  readonly next: HistoryPlace | null;
  /** Scanned messages, if too many to fill the page. */
  readonly looked?: number;
}

export interface MessageLife {
  readonly record: MessageRecord;
  readonly steps: readonly TimelineStep[];
}

/** In order. `smsCount` is the share of one message. */
export const EXPORT_COLUMNS = [
  "takenAt",
  "recipient",
  "name",
  "row",
  "channel",
  "outcome",
  "statusMessage",
  "smsCount",
  "delivery",
  "deliveryAt",
  "state",
  "node",
  "clientMessageId",
  "transferId",
  "statusCode",
  "statusName",
  "attempts",
  "settledAt",
  "settledBy",
  "simulated",
  "operation",
  "nodeId",
] as const;
export type ExportColumn = (typeof EXPORT_COLUMNS)[number];

/** Reasons why a failure is not sent again, in order of priority. */
export const LEFT_OUT = [
  "unknown",
  "later",
  "cancelled",
  "expired",
  "key",
  "node",
  "text",
  "unreadable",
  "skipped",
  "simulated",
] as const;

export interface AgainPlan {
  readonly people: number;
  readonly segments: number;
  /** Recipients that the flow may retry. */
  readonly mayRetry: number;
  /** The limit that left messages out. */
  readonly more: "count-recipients" | "looked" | null;
  readonly leftOut: Readonly<Record<(typeof LEFT_OUT)[number], number>>;
  readonly keepsTexts: boolean;
}

/** `most` is the number of recipients that the user confirmed. */
export interface AgainDone {
  readonly people: number;
}

export interface DeletedNumber {
  /** Deleted messages to the number and events about it. */
  readonly recipients: number;
  readonly events: number;
  /** Unfinished messages to the number, which stay. */
  readonly open: number;
  /** Messages in digests with the number, which are deleted. */
  readonly gathered: number;
}

export interface QueueJob {
  readonly id: number;
  /** Path of the node, if inside a subflow. Blank for a message without its node. */
  readonly node: string;
  readonly channel: string;
  /** ISO 8601 in UTC. */
  readonly takenAt: string;
  /** All requests, finished ones, and finished ones without an emitted result. */
  readonly requests: number;
  readonly done: number;
  readonly unreported: number;
  readonly waiting: number;
  readonly paused: number;
  readonly sending: number;
  /** ISO 8601 in UTC, for a message with a planned time. */
  readonly leavesAt: string | null;
  /** Its node does not run, so that nothing is sent or emitted. */
  readonly stranded: boolean;
  /** The destination it was accepted for, if the account has another one. */
  readonly elsewhere: "simulator" | "service" | "address" | null;
  readonly formerAddress: string | null;
}

export interface QueueView {
  readonly waiting: number;
  /** Ms until the next attempt. */
  readonly nextDue: number | null;
  readonly paused: number;
  readonly stranded: number;
  readonly sending: number;
  /** Oldest first. */
  readonly jobs: readonly QueueJob[];
  readonly next: number | null;
  /** The first ones without a node, on every page. */
  readonly strandedJobs: readonly QueueJob[];
}

export interface QueueInstance {
  readonly host: string;
  readonly process: number;
  readonly mine: boolean;
  /** `silent`: missed heartbeats. `ended`: closed or expired. */
  readonly state: "alive" | "silent" | "ended";
  /** ISO 8601 in UTC, by the database's clock. */
  readonly startedAt: string;
  /** Ms since its last heartbeat or its end. */
  readonly quietFor: number;
  readonly sending: number;
  readonly taken: number;
}

export interface QueueInstances {
  /** Running processes first. Null if only one process can use the store. */
  readonly instances: readonly QueueInstance[] | null;
  /** False if each `taken` may be higher. */
  readonly complete: boolean;
}

export interface QueueChange {
  readonly requests: number;
}

/** The `error` of a failed action with HTTP 200. */
export type HistoryFault = "not-running" | "store" | "number" | "gone" | "busy" | "has-node";

export interface HistoryProblem {
  readonly error: HistoryFault;
  readonly message?: string;
}
