import type { PreparedRequest } from "../../../gateway/codec/prepare-request";
import type { Verdict } from "../../../gateway/codec/verdict";
import type { StoredJob } from "../../../store/jobs/recovery";

/** Messages with results to emit, by id. */
export type OpenMessages = Map<number, StoredMessage>;

export interface PartResult {
  /** Id of its request in the store. */
  readonly request: number;
  readonly part: number;
  readonly operation: string;
  /** Null if the request was not sent. */
  readonly clientMessageId: string | null;
  /** Digits without plus. */
  readonly recipients: readonly string[];
  readonly verdict: Verdict;
  /** True if the accepting process has ended. The result may have been emitted before. */
  readonly restored: boolean;
  /** Epoch ms of the response; absent if it was received elsewhere or earlier. */
  readonly answeredAt?: number;
}

/** A request as it was checked at acceptance. */
export interface CheckedRequest {
  readonly request: PreparedRequest;
  /** Fewer recipients in the store mean that the request was divided and is void. */
  readonly recipients: number;
}

export interface StoredMessage {
  /** Assigned by the store at acceptance. */
  id: number;
  readonly account: string;
  readonly node: string;
  readonly test: boolean;
  /** Number of parts whose results are not emitted. */
  open: number;
  /** Parts at acceptance. Parts that were split off later have higher numbers. */
  readonly parts: number;
  /** Open parts that this process has split off. */
  late: number;
  divided: boolean;
  /** The request of the first part until it ends; null if it is read from the store. */
  checked: CheckedRequest | null;
  /** Contents of a sensitive message by part, which the store does not have; otherwise null. */
  readonly contents: Map<number, string> | null;
  isWriting: boolean;
}

/** A running send node. Its methods must not throw. */
export interface ResultNode {
  emit(message: StoredMessage, result: PartResult): void;
  restore(job: StoredJob): StoredMessage;
  /** Makes the remaining results a new group. @param count without parts that were split off later */
  regroup(message: StoredMessage, count: number): void;
  /** @param error null if the store works again */
  trouble(error: Error | null): void;
  /** The message belongs to another process or a replaced store: this node gets no result. */
  handOver(message: StoredMessage): void;
}

export interface NewMessage {
  readonly message: StoredMessage;
  readonly channel: string;
  readonly snapshot: string | null;
}
