import type { PreparedRequest } from "../../../gateway/codec/prepare-request";
import type { Verdict } from "../../../gateway/codec/verdict";
import type { StoredJob } from "../../../store/jobs/recovery";

/** Messages of which not all results have left, by their ids: the objects of the flow, as they came or as they were restored. */
export type OpenMessages = Map<number, StoredMessage>;

/** The result of one part of a message. */
export interface PartResult {
  /** Id of its request in the store. */
  readonly request: number;
  readonly part: number;
  /** Id of its operation, as the store has it. */
  readonly operation: string;
  /** Client message id with which it was sent; null where it has none. */
  readonly clientMessageId: string | null;
  /** Digits without plus. */
  readonly recipients: readonly string[];
  readonly verdict: Verdict;
  /** True where the process that took the message has ended. The result may have left before. */
  readonly restored: boolean;
  /** Epoch ms of its answer; absent where another process got it, or this one before. */
  readonly answeredAt?: number;
}

/** A request as it was checked when its message came. */
export interface CheckedRequest {
  readonly request: PreparedRequest;
  /** Number of its recipients. Where the part has fewer by now it was divided, perhaps by another process, and this request is void. */
  readonly recipients: number;
}

/** A message of the flow that this process has: as it came, or restored. */
export interface StoredMessage {
  /** In the store, which gives it when the message is accepted. */
  id: number;
  readonly account: string;
  /** Identity of its node. */
  readonly node: string;
  readonly test: boolean;
  /** Parts whose results have not left. */
  open: number;
  /** Parts that it was taken with. Those that were split off when they left have higher numbers. */
  readonly parts: number;
  /** Parts of those among `open` that were split off. Where another process does so, nobody here waits for them. */
  late: number;
  /** Whether any were split off, as far as this process knows. */
  divided: boolean;
  /** The request of its first part until that has ended; null for one that is made of the store. */
  checked: CheckedRequest | null;
  /** Of a sensitive message the contents of its requests, by part: the store does not have them. Null for any other. */
  readonly contents: Map<number, string> | null;
  /** Whether it is being written now. */
  isWriting: boolean;
}

/** A send node that runs. Its methods must not throw. */
export interface ResultNode {
  emit(message: StoredMessage, result: PartResult): void;
  /** Makes the message of a job again. */
  restore(job: StoredJob): StoredMessage;
  /**
   * Results of a restored message had left before: those that follow are a group of their own.
   * @param count of them, without those of parts that were split off
   */
  regroup(message: StoredMessage, count: number): void;
  /** The store does not work, or works again. */
  trouble(error: Error | null): void;
  /** The message belongs to another process, or its store was replaced: no result comes here. */
  handOver(message: StoredMessage): void;
}

/** A message to take. */
export interface NewMessage {
  readonly message: StoredMessage;
  readonly channel: string;
  readonly snapshot: string | null;
}
