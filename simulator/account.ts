import { BoundedLog, type LogLimits } from "./bounded-log";
import type { CheckedRequest } from "./check-request";
import type { Clock } from "./clock";
import { countSms, newTransferId } from "./build-reply";
import type { DecisionContext } from "./decide";
import type { Draft } from "./endpoint";
import { FaultPlan } from "./fault-plan";
import type { FaultRule } from "./fault-rule";
import { type RecordedRequest, type SimulatedMessage, sizeOfMessage, sizeOfRequest } from "./records";
import { TokenStore } from "./token-store";

/** One customer of the service: own address, own logs, faults and tokens. */
export interface SimulatedAccount {
  /** Service address and token service address, without a slash at the end. */
  readonly url: string;
  /** Requests received, oldest first. A live view that is bounded: the oldest are forgotten. */
  readonly requests: readonly RecordedRequest[];
  /** Messages taken, oldest first. A live view that is bounded: the oldest are forgotten. */
  readonly messages: readonly SimulatedMessage[];
  /** Requests received since the start or the last reset, forgotten ones too. */
  readonly requestCount: number;
  /** Messages taken since the start or the last reset, forgotten ones too. */
  readonly messageCount: number;
  /** Appends to the fault plan and returns the rule's id. Throws a TypeError for a wrong rule. */
  addFault(rule: FaultRule): string;
  clearFaults(): void;
  /** Empties logs and fault plan and refuses the tokens issued so far. */
  reset(): void;
  /** Refuses the bearer tokens issued so far. */
  revokeTokens(): void;
}

export interface AccountOptions {
  readonly clock: Clock;
  readonly log: LogLimits;
  readonly queuedAbove: number;
  /** Seconds. */
  readonly tokenLifetime: number;
}

export class Account implements SimulatedAccount, DecisionContext {
  readonly url: string;
  readonly faults = new FaultPlan();
  readonly tokens: TokenStore;
  readonly queuedAbove: number;
  readonly tokenLifetime: number;
  readonly #clock: Clock;
  readonly #requests: BoundedLog<RecordedRequest>;
  readonly #messages: BoundedLog<SimulatedMessage>;

  constructor(url: string, options: AccountOptions) {
    this.url = url;
    this.#clock = options.clock;
    this.queuedAbove = options.queuedAbove;
    this.tokenLifetime = options.tokenLifetime;
    this.tokens = new TokenStore(options.clock, options.tokenLifetime);
    this.#requests = new BoundedLog(options.log, sizeOfRequest);
    this.#messages = new BoundedLog(options.log, sizeOfMessage);
  }

  get requests(): readonly RecordedRequest[] {
    return this.#requests.entries;
  }

  get messages(): readonly SimulatedMessage[] {
    return this.#messages.entries;
  }

  get requestCount(): number {
    return this.#requests.total;
  }

  get messageCount(): number {
    return this.#messages.total;
  }

  addFault(rule: FaultRule): string {
    return this.faults.add(rule);
  }

  clearFaults(): void {
    this.faults.clear();
  }

  revokeTokens(): void {
    this.tokens.revokeAll();
  }

  reset(): void {
    this.#requests.clear();
    this.#messages.clear();
    this.faults.clear();
    this.tokens.revokeAll();
  }

  record(request: Omit<RecordedRequest, "id">): {
    -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key];
  } {
    const entry = { ...request, id: this.#requests.total + 1 };
    this.#requests.add(entry);
    return entry;
  }

  takeFault = (operation: string, draft: Draft | null) =>
    this.faults.take({ operation, recipients: draft?.recipients ?? [], content: draft?.content ?? null });

  accept = (operation: string, draft: Draft, checked: CheckedRequest, statusCode: number): string => {
    const transferId = newTransferId();
    this.#messages.add({
      ...draft,
      transferId,
      operation,
      fields: checked.fields,
      smsCount: countSms(draft),
      at: this.#clock.now(),
      statusCode,
    });
    return transferId;
  };
}
