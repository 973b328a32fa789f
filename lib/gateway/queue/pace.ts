import type { ClaimedRequest } from "../../store/request-claims";
import type { OwnClaim } from "./stored/own-requests";

/** What a claim has brought. */
export interface Claimed {
  readonly requests: readonly ClaimedRequest[];
  /** Whether there was nothing more to claim. */
  readonly drained: boolean;
}

/**
 * Starts a request.
 * @param latest moment of `performance.now` until which it may leave, because its turn is over then; Infinity where it needs none
 */
export type Begin = (request: ClaimedRequest, latest: number) => void;

/** Decides when the requests of a stored queue leave. */
export interface Pace {
  /** Turns that were taken for requests to claim. */
  readonly reserved: number;
  /** Requests that were claimed and wait for their turn. */
  readonly waiting: number;
  /** Takes turns for as many requests, or fewer: then the queue is told as soon as it may ask for more. */
  reserve(room: number): void;
  /** Gives the turns away that were taken. */
  use(): number;
  /**
   * Claims as many requests as `use` gave turns for.
   * @param own which of them; null for the first of all that wait
   * @throws StoreError
   */
  claim(most: number, own?: OwnClaim | null): Promise<Claimed>;
  /** Gives each request to `begin` when its turn has come. */
  start(requests: readonly ClaimedRequest[], begin: Begin): void;
  /** Starts no more. @returns the requests that wait */
  stop(): readonly ClaimedRequest[];
}
