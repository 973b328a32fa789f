import { OUTCOMES, type Outcome, SHOWN_OUTCOMES, type ShownOutcome } from "./outcomes";

/**
 * What the runtime tells the editor about messages that pass: the shapes that travel between the two, and the rules
 * that both sides follow. Nothing here holds a content, a secret or a whole phone number.
 */

/**
 * Topic on which the runtime says that there is something new, and nothing else: Node-RED lets everybody with `status.read` hear it, while
 * the activity takes `flows.read`.
 */
export const ACTIVITY_TOPIC = "messaging-activity";

/** Where the editor reads what is known (GET) and forgets it (DELETE); below the admin root. */
export const ACTIVITY_PATH = "messaging-account/activity";

/** Entries that are kept, on either side. */
export const MOST_ENTRIES = 500;

/**
 * Refusals that are kept beside them. Anybody can have calls refused, so they take no room of the other entries, and
 * equal ones share an entry.
 */
export const MOST_REFUSALS = 50;

/** Minutes that the chart looks back. */
export const MINUTES = 60;

/** ms after a poll for which the runtime says that there is something new. A client that keeps watching polls again before. */
export const WATCH_FOR = 60_000;

/** What an event did at a webhook; `received` went into the flow. */
export type EventResult = "received" | "duplicate" | "refused" | "sent-back";

/** What concerns an account as a whole; not counted. */
export type NoticeResult = "stopped" | "goes-on" | "sign-in-refused" | "limit-near" | "limit-reached";

/** Files that were transferred, and those that were not: apart from messages to people. */
export type FileResult = "files" | "files-failed";

/** What is counted: people by the outcome of their message, files, and results of events. */
export type Counted = ShownOutcome | FileResult | EventResult;

export const SEND_COUNTERS = SHOWN_OUTCOMES;
export const FILE_COUNTERS: readonly FileResult[] = ["files", "files-failed"];
export const EVENT_COUNTERS: readonly EventResult[] = ["received", "duplicate", "refused", "sent-back"];

export type Channel = "sms" | "voice" | "whatsapp" | "rcs" | "media" | "webhook" | "account";

/** What became of a file that was transferred: written to a folder, given to the flow, or given to the service. */
export type FileDone = "saved" | "downloaded" | "uploaded";

/** One request that was answered, or one call of a webhook. */
export interface ActivityEntry {
  /** Counts up from 1. */
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Id of the node; of one inside a subflow its own, which the editor does not know. */
  readonly node: string;
  /** Id of the node in the subflow's template; null outside subflows. */
  readonly template: string | null;
  readonly channel: Channel;
  readonly result: Counted | NoticeResult;
  /** First recipient, or the sender, masked; empty where there is none. */
  readonly who: string;
  /** Recipients of a request, 1 for an event; of a limit the messages that are used. */
  readonly count: number;
  /** Of the service; of a refusal the HTTP status, of a limit its number. null where there is none. */
  readonly code: number | null;
  /** Name of the code or local fault; of an event its kind, or `opted-out` and `opted-in`, of what was refused or sent back the reason, of a limit `hour` or `day`. */
  readonly name: string;
  /** Of a status event what it says, such as `delivered`; else empty. */
  readonly status: string;
  readonly simulated: boolean;
  /** Of a failure why, in a few words of the reader's language; absent where there are none. */
  readonly reason?: string;
  /** Of a file whose transfer succeeded. */
  readonly file?: FileDone;
  /** Of a request what came after its answer; absent while nothing did. */
  readonly progress?: MessageProgress;
  /** Id of the entry that it stands right before: a reply that was noted before its request. */
  readonly before?: number;
  /** A report that stands in the entry of its request, which was noted after it. It is not shown. */
  readonly folded?: true;
}

/** What reports and replies say of a request. */
export interface MessageProgress {
  /** The status that counts most, in lower case, a failure before all others; blank before the first report. */
  readonly status: string;
  /** Recipients that it is true of. */
  readonly reached: number;
  /** Replies of its recipients. */
  readonly replies: number;
  /** Counts up with each change of any entry. */
  readonly change: number;
}

/** What a row unfolds to. */
export interface EntryDetails {
  /** One sentence; blank where there is nothing to say. */
  readonly reason: string;
  readonly advice: string;
  /** The wrong field, in the words of the result; null where there is none. */
  readonly parameter: string | null;
  /** Complete numbers, at most `MOST_NUMBERS`; null for a user who may not see them. */
  readonly numbers: readonly string[] | null;
  /** How many there are. */
  readonly numberCount: number;
  readonly clientMessageId: string | null;
  readonly transferId: string | null;
  /** Oldest first. */
  readonly steps: readonly DeliveryStep[];
}

/** What happened to a message. */
export interface DeliveryStep {
  /** Epoch ms. */
  readonly at: number;
  /** Its result, a status, or a reply. */
  readonly what: "result" | "status" | "reply";
  /** Outcome, or status in lower case; of a reply blank. */
  readonly status: string;
  /** Of whom, masked. */
  readonly who: string;
}

/** Answer to `find`: the entries that are about a number. */
export interface FoundEntries {
  readonly epoch: string;
  /** Newest entry that was looked at. */
  readonly last: number;
  /** Their ids, oldest first. */
  readonly ids: readonly number[];
}

/** Complete numbers of one entry that are shown. */
export const MOST_NUMBERS = 100;

/** What the editor asks by POST; `full` in the path takes the permission to read the history. */
export type ActivityQuestion = "entry" | "find";
export const activityPath = (question: ActivityQuestion, full: boolean): string =>
  `${ACTIVITY_PATH}/${question}${full ? "/full" : ""}`;

/** All calls that a webhook refused for the same reason. `id` counts refusals alone, and stays; `at` is the last one. */
export interface RefusalEntry extends ActivityEntry {
  readonly result: "refused";
  /** How many there were. */
  readonly times: number;
  /** The first one, in milliseconds since the epoch. */
  readonly since: number;
}

/** One minute of the chart. */
export interface ActivityMinute {
  /** Whole minutes since the epoch. */
  readonly minute: number;
  readonly accepted: number;
  readonly failed: number;
  readonly received: number;
}

/** A message that goes out as several requests. */
export interface RunningSend {
  readonly id: number;
  readonly node: string;
  readonly template: string | null;
  readonly since: number;
  /** Recipients in all. */
  readonly total: number;
  /** Recipients whose request was answered, with any answer. */
  readonly done: number;
  readonly simulated: boolean;
}

export type Counters = Readonly<Partial<Record<Counted, number>>>;

/** What is counted of one account. */
export interface AccountTally {
  /** Its id; blank for nodes without one. */
  readonly account: string;
  readonly counters: Counters;
  /** Minutes in which something happened, oldest first. */
  readonly minutes: readonly ActivityMinute[];
}

/** What the editor reads. */
export interface ActivityState {
  /** Changes when the runtime starts and when the activity is cleared: earlier state is void. */
  readonly epoch: string;
  /** All but refusals, oldest first. */
  readonly entries: readonly ActivityEntry[];
  /** Number of the latest change of an entry; `watch` gives what changed after it. */
  readonly change: number;
  /** At most `MOST_REFUSALS`. */
  readonly refusals: readonly RefusalEntry[];
  /** Of each account with which something happened. */
  readonly tallies: readonly AccountTally[];
  /** Epoch ms of the start of Node-RED, or of the last time the list was cleared. */
  readonly since: number;
  /** True if a user has cleared the list. */
  readonly cleared: boolean;
  /** Those with the most to do, at most `MOST_RUNNING`. */
  readonly running: readonly RunningSend[];
  /** How many run, those not listed too. */
  readonly runningCount: number;
}

/** Running sends that are listed. */
export const MOST_RUNNING = 20;

export const minuteOf = (at: number): number => Math.floor(at / 60_000);

const NOTICES: ReadonlySet<string> = new Set<NoticeResult>([
  "stopped",
  "goes-on",
  "sign-in-refused",
  "limit-near",
  "limit-reached",
]);

/** Whether a result concerns an account as a whole. */
export const isNotice = (result: Counted | NoticeResult): result is NoticeResult => NOTICES.has(result);

/** What a result counts as: that of a file is apart. */
export function countedAs({
  channel,
  result,
}: Pick<ActivityEntry, "channel" | "result">): ActivityEntry["result"] {
  if (channel !== "media" || !(result in OUTCOMES)) {
    return result;
  }
  return OUTCOMES[result as Outcome].failure ? "files-failed" : "files";
}

/** Bar of the chart that something belongs to; null where it belongs to none. */
export function barOf(result: Counted): "accepted" | "failed" | "received" | null {
  switch (result) {
    case "refused":
    case "sent-back":
      return "failed";
    case "received":
      return "received";
    case "duplicate":
    case "skipped":
    case "files":
    case "files-failed":
      return null;
    default:
      return OUTCOMES[result].failure ? "failed" : "accepted";
  }
}
