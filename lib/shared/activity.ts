import { OUTCOMES, type Outcome, SHOWN_OUTCOMES, type ShownOutcome } from "./outcomes";

/** Carries no data, because any user with `status.read` receives it while the activity needs `flows.read`. */
export const ACTIVITY_TOPIC = "messaging-activity";

export const ACTIVITY_PATH = "messaging-account/activity";

export const MOST_ENTRIES = 500;

/** A separate limit, because anyone can have calls refused. */
export const MOST_REFUSALS = 50;

export const MINUTES = 60;

/** Ms after a poll in which the runtime notifies the client. */
export const WATCH_FOR = 60_000;

export type EventResult = "received" | "duplicate" | "refused" | "sent-back";

export type NoticeResult = "stopped" | "goes-on" | "sign-in-refused" | "limit-near" | "limit-reached";

export type FileResult = "files" | "files-failed";

export type Counted = ShownOutcome | FileResult | EventResult;

export const SEND_COUNTERS = SHOWN_OUTCOMES;
export const FILE_COUNTERS: readonly FileResult[] = ["files", "files-failed"];
export const EVENT_COUNTERS: readonly EventResult[] = ["received", "duplicate", "refused", "sent-back"];

export type Channel = "sms" | "voice" | "whatsapp" | "rcs" | "media" | "webhook" | "account";

export type FileDone = "saved" | "downloaded" | "uploaded";

export interface ActivityEntry {
  readonly id: number;
  readonly at: number;
  /** Inside a subflow an id that the editor does not know. */
  readonly node: string;
  /** Id in the subflow's template. */
  readonly template: string | null;
  readonly channel: Channel;
  readonly result: Counted | NoticeResult;
  /** First recipient or sender, masked. */
  readonly who: string;
  /** Recipients of a request, or used messages of a limit. */
  readonly count: number;
  /** Status code, HTTP status of a refusal, or number of a limit. */
  readonly code: number | null;
  /** Name of the code, kind of event, reason of a refusal, or `hour` or `day` of a limit. */
  readonly name: string;
  readonly status: string;
  readonly simulated: boolean;
  readonly reason?: string;
  readonly file?: FileDone;
  readonly progress?: MessageProgress;
  /** Id of the request that was recorded after this reply. */
  readonly before?: number;
  /** A hidden report, shown in the entry of its request. */
  readonly folded?: true;
}

export interface MessageProgress {
  /** In lower case, failures first, blank before the first report. */
  readonly status: string;
  readonly reached: number;
  readonly replies: number;
  /** Increases with each change of any entry. */
  readonly change: number;
}

export interface EntryDetails {
  /** One sentence. */
  readonly reason: string;
  readonly advice: string;
  readonly parameter: string | null;
  /** At most `MOST_NUMBERS`, null without permission. */
  readonly numbers: readonly string[] | null;
  readonly numberCount: number;
  readonly clientMessageId: string | null;
  readonly transferId: string | null;
  readonly steps: readonly DeliveryStep[];
}

export interface DeliveryStep {
  readonly at: number;
  readonly what: "result" | "status" | "reply";
  readonly status: string;
  /** Masked. */
  readonly who: string;
}

export interface FoundEntries {
  readonly epoch: string;
  readonly last: number;
  readonly ids: readonly number[];
}

export const MOST_NUMBERS = 100;

export type ActivityQuestion = "entry" | "find";
export const activityPath = (question: ActivityQuestion, full: boolean): string =>
  `${ACTIVITY_PATH}/${question}${full ? "/full" : ""}`;

/** All refusals of a webhook for one reason. `id` counts refusals alone, and `at` is the last one. */
export interface RefusalEntry extends ActivityEntry {
  readonly result: "refused";
  readonly times: number;
  readonly since: number;
}

export interface ActivityMinute {
  readonly minute: number;
  readonly accepted: number;
  readonly failed: number;
  readonly received: number;
}

export interface RunningSend {
  readonly id: number;
  readonly node: string;
  readonly template: string | null;
  readonly since: number;
  readonly total: number;
  readonly done: number;
  readonly simulated: boolean;
}

export type Counters = Readonly<Partial<Record<Counted, number>>>;

export interface AccountTally {
  /** Blank for nodes without an account. */
  readonly account: string;
  readonly counters: Counters;
  readonly minutes: readonly ActivityMinute[];
}

export interface ActivityState {
  /** Changes when the runtime starts and when the activity is cleared. */
  readonly epoch: string;
  readonly entries: readonly ActivityEntry[];
  /** The latest change, from which `watch` continues. */
  readonly change: number;
  readonly refusals: readonly RefusalEntry[];
  readonly tallies: readonly AccountTally[];
  /** Epoch ms of the start, or of the last clearing. */
  readonly since: number;
  readonly cleared: boolean;
  /** Largest first, at most `MOST_RUNNING`. */
  readonly running: readonly RunningSend[];
  readonly runningCount: number;
}

export const MOST_RUNNING = 20;

export const minuteOf = (at: number): number => Math.floor(at / 60_000);

const NOTICES: ReadonlySet<string> = new Set<NoticeResult>([
  "stopped",
  "goes-on",
  "sign-in-refused",
  "limit-near",
  "limit-reached",
]);

export const isNotice = (result: Counted | NoticeResult): result is NoticeResult => NOTICES.has(result);

export function countedAs({
  channel,
  result,
}: Pick<ActivityEntry, "channel" | "result">): ActivityEntry["result"] {
  if (channel !== "media" || !(result in OUTCOMES)) {
    return result;
  }
  return OUTCOMES[result as Outcome].failure ? "files-failed" : "files";
}

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
