import type { MessageRecord, TimelineStep } from "./message-record";
import type { ShownOutcome } from "../outcomes";

/** Shapes that travel between the history in the sidebar and the runtime, and the permissions that they take. */

/** Who may look at complete numbers. */
export const READ_HISTORY = "messaging-history.read";
/** Who may delete what is kept about a number. */
export const WRITE_HISTORY = "messaging-history.write";
/** Who may pause, resume, cancel, and decide about jobs without a node. */
export const WRITE_QUEUE = "messaging-queue.write";
/** Who may stop all sending of an account, and let it go on. */
export const WRITE_SENDING = "messaging-sending.write";
/** Who sees the queue, in which no number is. */
export const READ_QUEUE = "flows.read";

/** Below the admin root. */
export const historyPath = (accountId: string, action: HistoryAction): string =>
  `messaging-account/${encodeURIComponent(accountId)}/history/${action}`;
export const queuePath = (accountId: string, action: QueueAction | "save" | "look" | "instances"): string =>
  `messaging-account/${encodeURIComponent(accountId)}/queue/${action}`;

export const sendingPath = (accountId: string, action: "look" | SendingAction): string =>
  `messaging-account/${encodeURIComponent(accountId)}/sending/${action}`;

/** What a person does with all sending of an account; `resume` tries refused sign-ins at once. */
export const SENDING_ACTIONS = ["stop", "go-on", "resume"] as const;
export type SendingAction = (typeof SENDING_ACTIONS)[number];

/** Answer to `look` at the sending of an account, and to each action. */
export interface SendingView {
  /** ISO 8601 in UTC, since when a person has stopped it; null where nobody has. */
  readonly stoppedSince: string | null;
  /** Whether the deployed settings stop it; only a deploy ends that. */
  readonly stoppedBySettings: boolean;
  /** A sentence in Node-RED's language for each sign-in that the service refuses. */
  readonly refused: readonly string[];
  /** Requests that have not left and would. */
  readonly waiting: number;
}

export type HistoryAction =
  | "search"
  | "message"
  | "export"
  | "delete-number"
  | "plan-again"
  | "send-again"
  | "conversation";

/** What a person does with one job of an account's queue; `cancel` with the whole queue, too. */
export const QUEUE_ACTIONS = ["pause", "resume", "cancel", "use-address"] as const;
/** What a person does with a job whose node is gone. */
export const STRANDED_ACTIONS = ["send", "discard"] as const;
export type QueueAction = (typeof QUEUE_ACTIONS)[number] | (typeof STRANDED_ACTIONS)[number];

/** Entries of a page of the history, and jobs of a page of the queue. */
export const HISTORY_PAGE = 50;
export const QUEUE_PAGE = 20;

/** Characters of the longest id, number or name that is searched for. */
export const LONGEST_SEARCHED = 200;

/** What is searched for; all of it has to fit. */
export interface HistoryQuery {
  /** In any usual spelling. */
  readonly number?: string;
  /** Part of a name that the row of a list had, in capital or small letters. */
  readonly name?: string;
  readonly clientMessageId?: string;
  readonly transferId?: string;
  /** Id of the node; of one inside a subflow its path. */
  readonly node?: string;
  /** As people see it: what a rule kept back is `skipped`, and in no other. */
  readonly outcome?: ShownOutcome;
  /** Epoch ms at which the node took the message: from this one on, up to and without that one. */
  readonly from?: number;
  readonly to?: number;
  /** A message of the flow, with all its requests. */
  readonly job?: number;
}

/** Takes a search up where a page ended. */
export type HistoryPlace = readonly [takenAt: number, request: number, place: number];

/** A message in the list. */
export interface HistoryRow extends MessageRecord {
  /** Its recipient wrote after it, and before the next message to that number. */
  readonly replied: boolean;
  /** Of a failure why it is one, in a few words; null where there are none. */
  readonly reason: string | null;
}

/** Messages that one page looks through at most. */
export const MOST_LOOKED = 10_000;

/** Messages that a search counts; of more it says only that there are more. */
export const MOST_TALLIED = 10_000;

/** How many messages a search finds. */
export interface HistoryTally {
  readonly count: number;
  /** Whether there are more than `count`, which is `MOST_TALLIED` then; the rest is about those that were counted. */
  readonly more: boolean;
  readonly outcomes: Readonly<Partial<Record<ShownOutcome, number>>>;
  /** Those without an outcome. */
  readonly open: number;
}

/** Answer to `search` with a query as `query`, and as `after` the `next` of the page before. */
export interface HistoryPage {
  /** Newest first. */
  readonly entries: readonly HistoryRow[];
  /** Of all that fits; only in the first page, and not where that would mean to look through too many. */
  readonly tally?: HistoryTally;
  /** Null where this page is the last one. */
  readonly next: HistoryPlace | null;
  /** How many messages were looked through, where that was too many to fill the page. */
  readonly looked?: number;
}

/** Answer to `message` with the `request` and `place` of a record. */
export interface MessageLife {
  readonly record: MessageRecord;
  readonly steps: readonly TimelineStep[];
}

/** Columns of the export, in order: what people look for first. Of `node` the name, where the node runs and has one; of `smsCount` the share of one message. */
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

/**
 * Why failures are not sent again, in the order in which it is said: they may have arrived, the person has got or may get another message
 * since, somebody cancelled them, it is too late for them, their once key is in use, there is no node, no text, no number, a rule kept
 * them back, or only the simulator had them.
 */
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

/** Answer to `plan-again` with a `query`: what of it surely reached nobody and would be sent again. */
export interface AgainPlan {
  /** People that it would be sent to, and billed messages of them. */
  readonly people: number;
  readonly segments: number;
  /** Those of them that the flow may try again by itself. */
  readonly mayRetry: number;
  /** Why there may be more of them: one go takes no more people, or looks through no more messages. */
  readonly more: "people" | "looked" | null;
  readonly leftOut: Readonly<Record<(typeof LEFT_OUT)[number], number>>;
  /** Whether the account keeps texts. */
  readonly keepsTexts: boolean;
}

/** Answer to `send-again` with a `query` and `most`, the number of people that somebody has agreed to. */
export interface AgainDone {
  readonly people: number;
}

/** Answer to `delete-number` with a `number`. */
export interface DeletedNumber {
  /** Messages of which the number was a recipient, and events about it, that are deleted. */
  readonly recipients: number;
  readonly events: number;
  /** Messages to it that are still on their way, and stay. */
  readonly open: number;
  /** Messages in digests that name the number, which leave no more. */
  readonly gathered: number;
}

/** A message of the flow of which something is not done. Holds no number and no text. */
export interface QueueJob {
  readonly id: number;
  /** Id of the node; of one inside a subflow its path. Blank where a person sent it without its node. */
  readonly node: string;
  readonly channel: string;
  /** ISO 8601 in UTC. */
  readonly takenAt: string;
  /** Requests in all, and those of them that are done; of these, the ones whose result has not left the node. */
  readonly requests: number;
  readonly done: number;
  readonly unreported: number;
  readonly waiting: number;
  readonly paused: number;
  readonly sending: number;
  /** Of one of which nothing may leave before a time: that time, in ISO 8601 in UTC; else null. */
  readonly leavesAt: string | null;
  /** Its node does not run, so nothing of it leaves, and its results have nowhere to go. */
  readonly stranded: boolean;
  /** The simulator, the service or the former address that it was accepted for; null where the account sends there. */
  readonly elsewhere: "simulator" | "service" | "address" | null;
  /** The former address; null otherwise. */
  readonly formerAddress: string | null;
}

/** Answer to `look`, with the id of the last job of the page before as `after`. Counts are requests. */
export interface QueueView {
  readonly waiting: number;
  /** ms until the first of them that waits for its next attempt may leave; null where none does. */
  readonly nextDue: number | null;
  readonly paused: number;
  readonly stranded: number;
  readonly sending: number;
  /** Oldest first. */
  readonly jobs: readonly QueueJob[];
  readonly next: number | null;
  /** Those without a node, the first ones, whatever page this is. */
  readonly strandedJobs: readonly QueueJob[];
}

/** A process that shares the store of an account, and its load from this account. */
export interface QueueInstance {
  readonly host: string;
  readonly process: number;
  /** Whether it is the one that answers. */
  readonly mine: boolean;
  /** `silent`: it has missed heartbeats; `ended`: it left, or others have called it dead. */
  readonly state: "alive" | "silent" | "ended";
  /** ISO 8601 in UTC, by the clock of the database. */
  readonly startedAt: string;
  /** ms since its last heartbeat; of one that has ended, since it did. */
  readonly quietFor: number;
  /** Requests that it is sending now. */
  readonly sending: number;
  /** Messages that it has taken and that are not done. */
  readonly taken: number;
}

/** Answer to `instances`. */
export interface QueueInstances {
  /** Those that run first; null where only one process can use the store. */
  readonly instances: readonly QueueInstance[] | null;
  /** False where each `taken` may be higher. */
  readonly complete: boolean;
}

/** Answer to an action of the queue. */
export interface QueueChange {
  /** Requests that it changed. */
  readonly requests: number;
}

/** Why something failed: the field `error` of an answer with HTTP 200; also the key of its text. */
export type HistoryFault =
  | "not-running"
  /** The store cannot be read or written; `message` says why. */
  | "store"
  | "number"
  /** The message or job is no longer there. */
  | "gone"
  /** Too many others search at the same time. */
  | "busy"
  /** The job has a node again. */
  | "has-node";

export interface HistoryProblem {
  readonly error: HistoryFault;
  readonly message?: string;
}
