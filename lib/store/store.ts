import { type Clock, SYSTEM_CLOCK } from "./engine/clock";
import { Backlog } from "./jobs/backlog";
import { Deliveries } from "./events/deliveries";
import { Divisions } from "./divisions";
import { deleteOldDuplicates, type DuplicateLimits, Duplicates } from "./events/duplicates";
import type { Engine } from "./engine/engine";
import { call } from "./engine/query";
import { IdempotencyKeys } from "./guards/idempotency-keys";
import { OptOuts } from "./guards/opt-outs";
import { History } from "./history/history";
import { Instances } from "./instances";
import { Jobs } from "./jobs/jobs";
import { MessageIds } from "./engine/message-ids";
import { QueueControl } from "./jobs/queue-control";
import { Recovery } from "./jobs/recovery";
import { Rates } from "./jobs/rates";
import { RequestClaims } from "./jobs/request-claims";
import { SendAgain } from "./history/send-again";
import { Retention } from "./retention";
import { MIGRATIONS_TABLE } from "./schema/migrations";
import { statement } from "./schema/statement";
import { Settlements } from "./jobs/settlements";
import { WaitRows } from "./waits/wait-rows";

export interface StoreOptions {
  /** Whether texts and messages stay after their results have left. Numbers stay in any case. */
  readonly keepTexts: boolean;
  readonly clock?: Clock;
}

const PROBE = statement("store_probe")`SELECT max(version) AS version FROM ${MIGRATIONS_TABLE}`;

/** Everything that is kept in one database, by concern. It does not own the engine. */
export class Store {
  readonly ids: MessageIds;
  readonly jobs: Jobs;
  readonly claims: RequestClaims;
  readonly settlements: Settlements;
  readonly backlog: Backlog;
  readonly divisions: Divisions;
  readonly rates: Rates;
  readonly queue: QueueControl;
  readonly recovery: Recovery;
  readonly deliveries: Deliveries;
  readonly history: History;
  readonly retention: Retention;
  readonly again: SendAgain;
  readonly waits: WaitRows;
  readonly #clock: Clock;

  constructor(
    readonly engine: Engine,
    { keepTexts, clock = SYSTEM_CLOCK }: StoreOptions,
  ) {
    this.#clock = clock;
    this.ids = new MessageIds(engine);
    const parts = [engine, clock, keepTexts, this.ids] as const;
    this.jobs = new Jobs(...parts);
    this.claims = new RequestClaims(...parts);
    this.settlements = new Settlements(...parts);
    this.backlog = new Backlog(...parts);
    this.divisions = new Divisions(...parts);
    this.rates = new Rates(...parts);
    this.queue = new QueueControl(engine, clock, this.settlements);
    this.recovery = new Recovery(...parts);
    this.deliveries = new Deliveries(...parts);
    this.history = new History(...parts);
    this.retention = new Retention(...parts);
    this.again = new SendAgain(...parts);
    this.waits = new WaitRows(...parts);
  }

  /** Opens the database where it is not, and reads from it. @throws StoreError what is wrong with it */
  async probe(): Promise<void> {
    await this.engine.run([call(PROBE)]);
  }

  /** @param id new for each life of the process */
  instances(id: string): Instances {
    return new Instances(this.engine, this.#clock, id);
  }

  idempotencyKeys(scope: string): IdempotencyKeys {
    return new IdempotencyKeys(this.engine, this.#clock, scope);
  }

  optOuts(scope: string): OptOuts {
    return new OptOuts(this.engine, this.#clock, scope);
  }

  /** Makes a feature's part of the store. @param scope what its constructor takes: an account or a scope */
  of<Part>(Kind: new (engine: Engine, clock: Clock, scope: string) => Part, scope: string): Part {
    return new Kind(this.engine, this.#clock, scope);
  }

  /** As `deleteOldDuplicates`. @throws StoreError */
  deleteDuplicates(age: number): Promise<void> {
    return deleteOldDuplicates(this.engine, this.#clock, age);
  }

  /** @param receiver stable name of a webhook */
  duplicates(receiver: string, limits: DuplicateLimits): Duplicates {
    return new Duplicates(this.engine, this.#clock, receiver, limits);
  }
}
