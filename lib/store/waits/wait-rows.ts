import { groupBy } from "../../shared/group-by";
import { Batches } from "../engine/batches";
import { sliced } from "../engine/sliced";
import { call, rowOf, rowsOf } from "../engine/query";
import { Repository } from "../engine/repository";
import { notifyResultOwners } from "./waits-topic";
import * as startSql from "./start-statements";
import * as readSql from "./read-statements";
import * as endSql from "./end-statements";
import * as reportedSql from "./reported-statements";
import type {
  ReportedRecipient,
  ReportedWait,
  NewWait,
  OpenWait,
  PendingReply,
  ReplyOutcome,
  TimedOutWaits,
} from "./wait";

/** In the order in which the statement reads them. */
const entryOf = (wait: NewWait) => {
  const {
    key,
    account,
    scope,
    node,
    resultOwner,
    kind,
    channel,
    transferId,
    clientMessageId,
    until,
    group,
    snapshot,
  } = wait;
  const [number = null] = wait.recipients;
  const ids = [transferId, clientMessageId];
  return [key, account, node, resultOwner, kind, channel, ...ids, until, group, snapshot, number, scope];
};

type ReportedRow = ReportedRecipient & { readonly wait: number };

/** Id of a wait, and index of a recipient. */
type EmittedEnd = readonly [number, number];

/**
 * The waits of all accounts in one store. Every call may be repeated after an error, and may throw StoreError. Given `nodes` limit it to their
 * waits: waits of other nodes must not fill the pages.
 */
export class WaitRows extends Repository {
  readonly #starts = new Batches<NewWait, OpenWait | "continued" | null>((all) => this.#startAll(all));
  readonly #emitted = new Batches<readonly EmittedEnd[], undefined>((all) => this.#emittedAll(all));

  /**
   * Starts a wait for the recipients of a request. Earlier reports end it at once, and unused replies since the request was sent belong to
   * it. It replaces older waits for replies of the same numbers by the same channel.
   * @returns "continued" if an earlier wait stands for it; null if the account has no request with these ids
   */
  start(wait: NewWait): Promise<OpenWait | "continued" | null> {
    return this.#starts.add(wait);
  }

  async #startAll(all: readonly NewWait[]): Promise<readonly (OpenWait | "continued" | null)[]> {
    const keys = JSON.stringify(all.map(({ key }) => key));
    const repeated = all.flatMap(({ key, repeated }) => (repeated ? [key] : []));
    const rows = await this.engine.run([
      call(startSql.ADD, JSON.stringify(all.map(entryOf)), this.clock.now()),
      call(startSql.DELETE_REPEATED, JSON.stringify(repeated)),
      ...[
        startSql.ADD_RECIPIENTS,
        startSql.REPLACE,
        startSql.COUNT,
        reportedSql.ASSIGN_EARLIER,
        reportedSql.REPORTED_BEFORE,
        startSql.STARTED,
      ].map((each) => call(each, keys)),
    ]);
    const started = new Map((rows.at(-1) as unknown as readonly OpenWait[]).map((wait) => [wait.key, wait]));
    const continued = new Set((rows[1] ?? []).map((row) => String(row.wait_key)));
    return all.map(({ key }) => {
      if (continued.has(key)) {
        return "continued";
      }
      const wait = started.get(key) ?? null;
      return wait?.recipients === 0 ? null : wait;
    });
  }

  /** Reported recipients of an instance, at most `most`, by wait. */
  async reported(
    resultOwner: string,
    most: number,
    nodes: readonly string[],
  ): Promise<readonly ReportedWait[]> {
    const values = [resultOwner, most, JSON.stringify(nodes)];
    const [rows = [], waits = []] = await this.engine.run([
      call(readSql.REPORTED_RECIPIENTS, ...values),
      call(readSql.REPORTED_WAITS, ...values),
    ]);
    const byWait = groupBy(rows as unknown as readonly ReportedRow[], ({ wait }) => wait);
    return (waits as unknown as readonly OpenWait[]).map((wait) => ({
      wait,
      reported: byWait.get(wait.id) ?? [],
    }));
  }

  /** Timed out waits: whole groups, of at most `most` waits if there are more. */
  async timedOut(
    resultOwner: string,
    most: number,
    nodes: readonly string[],
  ): Promise<readonly TimedOutWaits[]> {
    const values = [resultOwner, most, JSON.stringify(nodes)];
    const [waits = [], rows = []] = await this.engine.run([
      call(readSql.TIMED_OUT_WAITS, ...values),
      call(readSql.TIMED_OUT_RECIPIENTS, ...values),
    ]);
    const byWait = groupBy(rows, ({ wait }) => Number(wait));
    const groups = groupBy(waits as unknown as readonly OpenWait[], ({ group, key }) => group ?? key);
    return [...groups.values()].map((members) => ({
      waits: members.map((wait) => {
        const recipients = byWait.get(wait.id) ?? [];
        return {
          wait,
          numbers: recipients.map(({ number }) => String(number)),
          indexes: recipients.map(({ index }) => Number(index)),
          replaced: recipients.some(({ replaced }) => Number(replaced) === 1),
          replied: recipients
            .filter(({ replied }) => Number(replied) === 1)
            .map(({ number }) => String(number)),
        };
      }),
    }));
  }

  /** Pending replies of an instance, of each wait in their order. */
  async replies(
    resultOwner: string,
    most: number,
    nodes: readonly string[],
  ): Promise<readonly PendingReply[]> {
    type Reply = Omit<PendingReply, "isOpen"> & { readonly open: number };
    const rows = await rowsOf<Reply>(this.engine, readSql.REPLIES, resultOwner, most, JSON.stringify(nodes));
    return rows.map(({ open, ...reply }) => ({ ...reply, isOpen: open > 0 }));
  }

  /** Ends the wait for the sender of a reply. If it has ended already, the reply is unused. */
  async endByReply({ id, wait, index, at }: PendingReply, outcome: ReplyOutcome): Promise<void> {
    await this.engine.run([
      call(readSql.END_BY_REPLY, id, wait, index, at, outcome),
      call(readSql.USE_REPLY, id, wait, index),
    ]);
  }

  /** Defers or deletes a reply that ends no wait, then applies reports since it. */
  async passReply({ id, wait, index }: PendingReply, isDeferred: boolean): Promise<void> {
    await this.engine.run([
      call(readSql.RECORD_REPLY, wait, index),
      call(isDeferred ? readSql.DEFER_REPLY : readSql.DELETE_REPLY, id),
      call(reportedSql.REPORTED_MEANWHILE, wait),
    ]);
  }

  /**
   * Times out recipients of expired waits without a report, of a group with its last wait. Waits with pending replies expire after these.
   * @returns how many; `most` if there may be more
   */
  async expire(resultOwner: string, most: number, nodes: readonly string[]): Promise<number> {
    const now = this.clock.now();
    const [due = []] = await this.engine.run([
      call(endSql.DUE, resultOwner, now, most, JSON.stringify(nodes)),
      call(endSql.END_GROUPS, resultOwner),
      call(endSql.TIME_OUT, now),
      call(endSql.END),
    ]);
    return due.length;
  }

  /** Epoch ms at which the next wait of an instance ends; null where none is open. */
  async nextEnd(resultOwner: string, nodes: readonly string[]): Promise<number | null> {
    const row = await rowOf(this.engine, endSql.NEXT_END, resultOwner, JSON.stringify(nodes));
    return row === undefined ? null : Number(row.until);
  }

  /** Deletes emitted ends, and may end their group. */
  emitted(wait: number, indexes: readonly number[]): Promise<void> {
    return this.#emitted.add(indexes.map((index) => [wait, index] as const));
  }

  async #emittedAll(all: readonly (readonly EmittedEnd[])[]): Promise<readonly undefined[]> {
    const entries = JSON.stringify(all.flat());
    const results = await this.engine.run([
      ...[endSql.DELETE_REPLIES, endSql.DELETE_RECIPIENTS, endSql.RECOUNT, endSql.END_GROUPS_OF].map((each) =>
        call(each, entries),
      ),
      call(endSql.TIME_OUT, this.clock.now()),
      call(endSql.END),
    ]);
    await notifyResultOwners(this.engine, [results.at(-1) ?? []]);
    return all.map(() => undefined);
  }

  /** Adopts the waits of expired instances for nodes. @returns how many */
  async adopt(resultOwner: string, account: string, nodes: readonly string[]): Promise<number> {
    const list = JSON.stringify(nodes);
    let after = 0;
    return sliced(async (most) => {
      const rows = await rowsOf(this.engine, readSql.ADOPT, resultOwner, account, list, most, after);
      after = rows.reduce((last, { id }) => Math.max(last, Number(id)), after);
      return rows.length;
    });
  }

  /** Counts the open recipients of each node of an account at an instance. */
  async countOpen(resultOwner: string, account: string): Promise<ReadonlyMap<string, number>> {
    const rows = await rowsOf(this.engine, readSql.OPEN, resultOwner, account);
    return new Map(rows.map(({ node, open }) => [String(node), Number(open)]));
  }

  /** Applies reports to waits of the last `age` ms: another process may have stored an event while the wait started. */
  async recheck(age: number): Promise<void> {
    const start = this.clock.now() - age;
    const reported = await this.engine.run([
      call(reportedSql.REPORTED_RECENTLY, start),
      call(reportedSql.ASSIGN_RECENTLY, start),
    ]);
    await notifyResultOwners(this.engine, reported);
  }

  /** Reads waits with their messages, by id. For a page of them. */
  some(ids: readonly number[]): Promise<readonly OpenWait[]> {
    return rowsOf<OpenWait>(this.engine, readSql.SOME, JSON.stringify(ids));
  }
}
