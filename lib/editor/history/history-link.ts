import type { CsvRequest } from "../../shared/csv";
import type { ConversationView } from "../../shared/history/conversation-message";
import {
  type AgainDone,
  type AgainPlan,
  type DeletedNumber,
  type HistoryPage,
  type HistoryPlace,
  type HistoryQuery,
  historyPath,
  type MessageLife,
  type QueueAction,
  type QueueChange,
  type QueueInstances,
  type QueueView,
  queuePath,
  type SendingAction,
  type SendingView,
  sendingPath,
} from "../../shared/history/history";
import { download, post } from "../activity/request";

// Each rejects with a `RequestFailure`.

export const searchHistory = (
  account: string,
  query: HistoryQuery,
  after: HistoryPlace | null,
): Promise<HistoryPage> => post(historyPath(account, "search"), { query, after });

export const readLife = (account: string, request: number, place: number): Promise<MessageLife> =>
  post(historyPath(account, "message"), { request, place });

export const exportHistory = (account: string, query: HistoryQuery, csv: CsvRequest): Promise<Blob> =>
  download(historyPath(account, "export"), { query, csv });

export const deleteNumber = (account: string, number: string): Promise<DeletedNumber> =>
  post(historyPath(account, "delete-number"), { number });

export const planAgain = (account: string, query: HistoryQuery): Promise<AgainPlan> =>
  post(historyPath(account, "plan-again"), { query });

/** @param most as many people as somebody has agreed to */
export const sendAgain = (account: string, query: HistoryQuery, most: number): Promise<AgainDone> =>
  post(historyPath(account, "send-again"), { query, most });

/** @param number in any usual spelling @param most of the newest messages */
export const readConversation = (account: string, number: string, most: number): Promise<ConversationView> =>
  post(historyPath(account, "conversation"), { number, most });

/** @param after `next` of the page before; 0 for the first page */
export const readQueue = (account: string, after: number): Promise<QueueView> =>
  post(queuePath(account, "look"), { after });

export const readInstances = (account: string): Promise<QueueInstances> =>
  post(queuePath(account, "instances"), {});

/** @param job null for the whole account */
export const changeQueue = (account: string, action: QueueAction, job: number | null): Promise<QueueChange> =>
  post(queuePath(account, action), job === null ? {} : { job });

export const readSending = (account: string): Promise<SendingView> => post(sendingPath(account, "look"), {});

export const changeSending = (account: string, action: SendingAction): Promise<SendingView> =>
  post(sendingPath(account, action), {});

export const saveJob = (account: string, job: number): Promise<Blob> =>
  download(queuePath(account, "save"), { job });

/** Hands a file to the user. */
export function offerFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
