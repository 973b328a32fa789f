import type { Dispatcher } from "undici";
import type { TokenFault } from "./access-tokens";
import type { Authenticator, Credentials } from "./authenticator";
import type { Exchange, Exchanged } from "../http/exchange";
import type { Operation } from "../contract/operations";
import type { PreparedRequest } from "../codec/prepare-request";
import type { Redactor } from "../codec/redactor";
import type { CancelSignals } from "../http/cancel-signal";
import type { Transfer } from "../http/body/transfer";
import { cleanVerdict } from "../codec/clean-verdict";
import { localVerdict, type Verdict } from "../codec/verdict";

export interface Attempted {
  /** Runs inside a callback of the HTTP client, so it must not throw or run code of a flow. */
  attempted(verdict: Verdict): void;
  /** Runs directly before the first byte is sent. False ends the attempt as CLOSING. */
  maySend?(): boolean;
  /** Runs when the connection is ready, because the process may have been stopped during the wait. */
  holdsLease?(): boolean;
}

interface AttemptClient {
  readonly redactor: Redactor;
  readonly authenticator: Authenticator;
  send(attempt: Attempt, credentials: Credentials): void;
  judge(operation: Operation, result: Exchange): Verdict;
}

export class Attempt implements Exchanged {
  #round = 0;
  #credentials: Credentials | null = null;

  constructor(
    private readonly client: AttemptClient,
    readonly request: PreparedRequest,
    readonly signals: CancelSignals,
    readonly transfer: Transfer,
    private readonly waiter: Attempted,
    readonly connection: Dispatcher,
  ) {}

  start(): void {
    this.#round++;
    try {
      const { operation } = this.request;
      const pending = this.client.authenticator.credentialsFor(operation, this.signals.stopNew);
      if (pending instanceof Promise) {
        pending.then(
          (credentials) => this.#authenticated(credentials),
          (error: unknown) => this.#failed(error),
        );
      } else {
        this.#authenticated(pending);
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  #authenticated(credentials: Credentials | TokenFault): void {
    if ("fault" in credentials) {
      const { fault, detail, error } = credentials;
      const verdict = localVerdict(fault, detail, this.#round);
      // The client may still use other scopes.
      const refused = error === "invalid_scope" ? ({ ...verdict, retry: "sign-in" } as const) : verdict;
      this.waiter.attempted(cleanVerdict(refused, this.client.redactor));
      return;
    }
    if (this.waiter.maySend?.() === false) {
      this.waiter.attempted(localVerdict("CLOSING", "", this.#round - 1));
      return;
    }
    this.#credentials = credentials;
    try {
      this.client.send(this, credentials);
    } catch (error) {
      this.#failed(error);
    }
  }

  holdsLease(): boolean {
    return this.waiter.holdsLease?.() !== false;
  }

  exchanged(result: Exchange): void {
    let verdict: Verdict | null;
    try {
      verdict = this.#judge(result);
    } catch (error) {
      this.#failed(error);
      return;
    }
    if (verdict === null) {
      queueMicrotask(() => this.start());
    } else {
      this.waiter.attempted(verdict);
    }
  }

  #judge(result: Exchange): Verdict | null {
    const { operation } = this.request;
    const judged = this.client.judge(operation, result);
    const attempts = judged.stopped === "unsent" ? this.#round - 1 : this.#round;
    const verdict = judged.attempts === attempts ? judged : { ...judged, attempts };
    const token = this.#credentials?.token ?? null;
    if (verdict.httpStatus === 401 && verdict.outcome === "denied" && token !== null) {
      this.client.authenticator.refused(operation, token);
      // Only the first 401 is sent again.
      if (this.#round === 1) {
        return null;
      }
    }
    return cleanVerdict(verdict, this.client.redactor);
  }

  /** The progress of the request is unknown, so it is not repeated. */
  #failed(error: unknown): void {
    this.waiter.attempted(localVerdict("INTERNAL_FAULT", this.client.redactor.clean(String(error)), 1));
  }
}
