import type { BlockedRecipients } from "../../../../lib/gateway/queue/blocked-recipients";
import { LeaveCheck } from "../../../../lib/runtime/guards/leave-check";
import type { LimitSettings } from "../../../../lib/runtime/guards/limit-settings";
import type { Outcome } from "../../../../lib/shared/outcomes";
import type { IdempotencyKeys } from "../../../../lib/store/guards/idempotency-keys";
import type { OptOuts } from "../../../../lib/store/guards/opt-outs";
import type { QuotaUsage } from "../../../../lib/store/guards/limits";
import { NO_RULES, type RequestRules } from "../../../../lib/store/guards/request-rules";
import type { ClaimedRequest } from "../../../../lib/store/jobs/request-claims";
import { answered, type Fixture, takeJob, type TestClock } from "../../store/suite/store-under-test";

const NO_LIMITS: LimitSettings = {
  hour: null,
  day: null,
  numberHour: null,
  numberDay: null,
  refuses: false,
  zone: "UTC",
};

export interface Message {
  readonly recipients: readonly string[];
  readonly rules?: Partial<RequestRules>;
}

/** A message that was about to leave, and whose other recipients it has left for. */
export interface Leaving {
  /** Why not, or until when not, for each recipient that it has not left for. */
  readonly held: readonly string[];
  end(outcome: Outcome): Promise<void>;
  /** It surely was not sent, and is about to leave again. @returns as `held` */
  again(): Promise<readonly string[]>;
}

/** Told in the order of the numbers: the last digit, and the code or the end of the wait. */
const describeParts = (parts: readonly BlockedRecipients[]): readonly string[] =>
  parts
    .flatMap(({ recipients, verdict, until, all }) =>
      recipients.map((number) => {
        const time = new Date(until).toISOString().slice(5, 16);
        return `${number.slice(-1)} ${verdict?.fault ?? `until ${time}${all ? " for all" : ""}`}`;
      }),
    )
    .sort();

/** An account with a store. */
export class LeavingStore {
  readonly clock: TestClock;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly optOuts: OptOuts;
  #spent: QuotaUsage | undefined;
  #limits: LimitSettings | null = null;

  constructor(private readonly fixture: Fixture) {
    this.clock = fixture.clock;
    this.idempotencyKeys = fixture.store.idempotencyKeys("a1");
    this.optOuts = fixture.store.optOuts("a1");
  }

  /** The account's counters as they were told last. */
  spent = (): QuotaUsage | undefined => this.#spent;

  /** Limits of the account from now on. */
  limit(limits: Partial<LimitSettings>): void {
    this.#limits = { ...NO_LIMITS, ...limits };
  }

  get #rules() {
    const onUsage = (spent: QuotaUsage): void => {
      this.#spent = spent;
    };
    return { limits: this.#limits, hours: null, zone: "UTC", onUsage };
  }

  /** These are about to leave at the same moment, in their order. */
  async leave(...messages: readonly Message[]): Promise<readonly Leaving[]> {
    const { store } = this.fixture;
    for (const { recipients, rules = {} } of messages) {
      await takeJob(store, [{ recipients, rules: { ...NO_RULES, ...rules } }]);
    }
    const leaving: Leaving[] = [];
    for (const request of await this.#claim()) {
      leaving.push({
        held: await this.#divide(request),
        end: (outcome) => this.#settle(request, outcome),
        again: async () => {
          const back = { id: request.id, delay: 0, priority: 1, attempts: 1, guarded: true };
          await store.claims.release("a1", this.fixture.me, [back]);
          const [next] = await this.#claim();
          return this.#divide(next as ClaimedRequest);
        },
      });
    }
    return leaving;
  }

  #claim(): Promise<readonly ClaimedRequest[]> {
    const { store, me, clock } = this.fixture;
    return store.claims.claim("a1", me, 1_000, "", {
      ...new LeaveCheck(this.#rules).guard(clock.now()),
      destination: "",
    });
  }

  async #settle({ id, rules: { once } }: ClaimedRequest, outcome: Outcome): Promise<void> {
    const settled = { ...answered(id), outcome, guarded: true, keyed: once };
    await this.fixture.store.settlements.settle(this.fixture.me, [settled]);
  }

  /** Those who are held back become requests that are settled; the others leave. */
  async #divide(request: ClaimedRequest): Promise<readonly string[]> {
    const { store, me, clock } = this.fixture;
    const parts = new LeaveCheck(this.#rules).hold(request, clock.now());
    const held = describeParts(parts);
    if (held.length === request.recipients.length) {
      await this.#settle(request, "rejected");
    } else if (held.length > 0) {
      const settled = { outcome: "rejected" as const, answer: "{}" };
      const groups = parts.map(({ recipients }) => ({ recipients, settled, until: null }));
      await store.divisions.divide(request, "a1", me, groups, true);
      const [rest] = await this.#claim();
      return [
        ...held,
        ...describeParts(new LeaveCheck(this.#rules).hold(rest as ClaimedRequest, clock.now())),
      ];
    }
    return held;
  }
}
