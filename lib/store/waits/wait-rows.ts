import { Batches } from "../engine/batches";
import { sliced } from "../engine/sliced";
import { call, rowOf, rowsOf } from "../engine/query";
import { Repository } from "../engine/repository";
import { notifyResultOwners } from "./waits-topic";
import * as beginSql from "./begin-statements";
import * as lookSql from "./look-statements";
import * as endSql from "./end-statements";
import * as reportedSql from "./reported-statements";
import type {
  ReportedRecipient,
  ReportedWait,
  NewWait,
  OpenWait,
  PendingReply,
  ReplyEnd,
  SilentWaits,
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

/** A wait, and a place in it. */
type LeftEnd = readonly [number, number];

/**
 * The waits of all accounts in one store. Every call may be repeated after an error. All of them throw StoreError. If `nodes` are given,
 * only waits of these nodes count: waits of others must not fill the pages of nodes that run.
 */
export class WaitRows extends Repository {
  readonly #begins = new Batches<NewWait, OpenWait | "goes on" | null>((all) => this.#beginAll(all));
  readonly #ends = new Batches<readonly LeftEnd[], undefined>((all) => this.#leftAll(all));

  /**
   * Begins a wait for the recipients of a request. What was reported of them before ends it at once, and replies of theirs that came after the
   * request left and that no wait has taken are its own. Whoever was asked by an older wait by the same channel is asked no more there.
   * @returns the wait, or that an earlier one goes on instead; null where the account has no request with these ids
   */
  begin(wait: NewWait): Promise<OpenWait | "goes on" | null> {
    return this.#begins.add(wait);
  }

  async #beginAll(all: readonly NewWait[]): Promise<readonly (OpenWait | "goes on" | null)[]> {
    const keys = JSON.stringify(all.map(({ key }) => key));
    const repeated = all.flatMap(({ key, repeated }) => (repeated ? [key] : []));
    const rows = await this.engine.run([
      call(beginSql.ADD, JSON.stringify(all.map(entryOf)), this.clock.now()),
      call(beginSql.DROP_REPEATED, JSON.stringify(repeated)),
      ...[
        beginSql.ADD_RECIPIENTS,
        beginSql.REPLACE,
        beginSql.COUNT,
        reportedSql.ASSIGN_EARLIER,
        reportedSql.REPORTED_BEFORE,
        beginSql.BEGUN,
      ].map((each) => call(each, keys)),
    ]);
    const begun = new Map((rows.at(-1) as unknown as readonly OpenWait[]).map((wait) => [wait.key, wait]));
    const goingOn = new Set((rows[1] ?? []).map((row) => String(row.wait_key)));
    return all.map(({ key }) => {
      if (goingOn.has(key)) {
        return "goes on";
      }
      const wait = begun.get(key) ?? null;
      return wait?.recipients === 0 ? null : wait;
    });
  }

  /** Those of an instance of which something was reported that has not left, in their order: at most `most` recipients. */
  async reported(
    resultOwner: string,
    most: number,
    nodes: readonly string[],
  ): Promise<readonly ReportedWait[]> {
    const values = [resultOwner, most, JSON.stringify(nodes)];
    const [rows = [], waits = []] = await this.engine.run([
      call(lookSql.REPORTED_ROWS, ...values),
      call(lookSql.REPORTED_WAITS, ...values),
    ]);
    const byWait = groupBy(rows as unknown as readonly ReportedRow[], ({ wait }) => wait);
    return (waits as unknown as readonly OpenWait[]).map((wait) => ({
      wait,
      reported: byWait.get(wait.id) ?? [],
    }));
  }

  /** What ended in silence and has not left: whole waits and groups, of at most `most` waits where there are more. */
  async silent(resultOwner: string, most: number, nodes: readonly string[]): Promise<readonly SilentWaits[]> {
    const values = [resultOwner, most, JSON.stringify(nodes)];
    const [waits = [], rows = []] = await this.engine.run([
      call(lookSql.SILENT_WAITS, ...values),
      call(lookSql.SILENT_ROWS, ...values),
    ]);
    const byWait = groupBy(rows, ({ wait }) => Number(wait));
    const groups = groupBy(waits as unknown as readonly OpenWait[], ({ group, key }) => group ?? key);
    return [...groups.values()].map((members) => ({
      waits: members.map((wait) => {
        const silent = byWait.get(wait.id) ?? [];
        return {
          wait,
          numbers: silent.map(({ number }) => String(number)),
          places: silent.map(({ place }) => Number(place)),
          replaced: silent.some(({ replaced }) => Number(replaced) === 1),
          wrote: silent.filter(({ wrote }) => Number(wrote) === 1).map(({ number }) => String(number)),
        };
      }),
    }));
  }

  /** Replies that waits of an instance have to look at, of each wait in the order in which they came. */
  async replies(
    resultOwner: string,
    most: number,
    nodes: readonly string[],
  ): Promise<readonly PendingReply[]> {
    type Reply = Omit<PendingReply, "isOpen"> & { readonly open: number };
    const rows = await rowsOf<Reply>(this.engine, lookSql.REPLIES, resultOwner, most, JSON.stringify(nodes));
    return rows.map(({ open, ...reply }) => ({ ...reply, isOpen: open > 0 }));
  }

  /** A reply ends its wait. @returns false where the recipient has ended meanwhile, so that it is nobody's */
  async answered({ id, wait, place, at }: PendingReply, what: ReplyEnd): Promise<boolean> {
    const [, , rows = []] = await this.engine.run([
      call(lookSql.ANSWER, id, wait, place, at, what),
      call(lookSql.TAKE_REPLY, id, wait, place),
      call(lookSql.ANSWERED_BY, id, wait, place),
    ]);
    return rows.length > 0;
  }

  /** A reply ends nothing: it stays for a later wait, or it has left and is gone. That the person wrote is noted. What its message came to meanwhile counts now. */
  async passed({ id, wait, place }: PendingReply, stays: boolean): Promise<void> {
    await this.engine.run([
      call(lookSql.NOTE_REPLY, wait, place),
      call(stays ? lookSql.SET_ASIDE : lookSql.DROP_REPLY, id),
      call(reportedSql.REPORTED_MEANWHILE, wait),
    ]);
  }

  /**
   * Ends in silence what waited until now: recipients of whom nothing was reported, of a group when its last wait is over. Not those who
   * have sent a reply that their wait has to look at: it came in time.
   * @returns how many; `most` where there may be more
   */
  async expire(resultOwner: string, most: number, nodes: readonly string[]): Promise<number> {
    const now = this.clock.now();
    const [due = []] = await this.engine.run([
      call(endSql.DUE, resultOwner, now, most, JSON.stringify(nodes)),
      call(endSql.END_GROUPS, resultOwner),
      call(endSql.SILENCE, now),
      call(endSql.END),
    ]);
    return due.length;
  }

  /** Epoch ms at which the next wait of an instance ends; null where none is open. */
  async nextEnd(resultOwner: string, nodes: readonly string[]): Promise<number | null> {
    const row = await rowOf(this.engine, endSql.NEXT_END, resultOwner, JSON.stringify(nodes));
    return row === undefined ? null : Number(row.until);
  }

  /** Ends that have left their node are forgotten, and waits that have none left; a group whose last wait that was may end now. */
  left(wait: number, places: readonly number[]): Promise<void> {
    return this.#ends.add(places.map((place) => [wait, place] as const));
  }

  async #leftAll(all: readonly (readonly LeftEnd[])[]): Promise<readonly undefined[]> {
    const values = [JSON.stringify(all.flat())];
    const results = await this.engine.run([
      ...[endSql.FORGET_REPLIES, endSql.FORGET, endSql.RECOUNT, endSql.END_GROUPS_OF].map((each) =>
        call(each, ...values),
      ),
      call(endSql.SILENCE, this.clock.now()),
      call(endSql.END),
    ]);
    await notifyResultOwners(this.engine, [results.at(-1) ?? []]);
    return all.map(() => undefined);
  }

  /** Takes over the waits of nodes whose instances are dead. @returns how many */
  async adopt(resultOwner: string, account: string, nodes: readonly string[]): Promise<number> {
    const list = JSON.stringify(nodes);
    let after = 0;
    return sliced(async (most) => {
      const rows = await rowsOf(this.engine, lookSql.ADOPT, resultOwner, account, list, most, after);
      after = rows.reduce((last, { id }) => Math.max(last, Number(id)), after);
      return rows.length;
    });
  }

  /** How many recipients each node of an account waits for at an instance. */
  async open(resultOwner: string, account: string): Promise<ReadonlyMap<string, number>> {
    const rows = await rowsOf(this.engine, lookSql.OPEN, resultOwner, account);
    return new Map(rows.map(({ node, open }) => [String(node), Number(open)]));
  }

  /** Looks again at what began in the last `age` ms: an event may have come at the same moment, in another process. */
  async recheck(age: number): Promise<void> {
    const values = [this.clock.now() - age];
    const told = await this.engine.run([
      call(reportedSql.REPORTED_RECENTLY, ...values),
      call(reportedSql.ASSIGN_RECENTLY, ...values),
    ]);
    await notifyResultOwners(this.engine, told);
  }

  /** Waits with their messages, in the order in which they began. For a page of them. */
  some(ids: readonly number[]): Promise<readonly OpenWait[]> {
    return rowsOf<OpenWait>(this.engine, lookSql.SOME, JSON.stringify(ids));
  }

  /** The message of a wait, where it is needed without its ends, as for another reply. */
  async wait(id: number): Promise<OpenWait | null> {
    return (await rowsOf<OpenWait>(this.engine, lookSql.ONE, id))[0] ?? null;
  }
}

function groupBy<Key, Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => Key): Map<Key, Entry[]> {
  const groups = new Map<Key, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry)) ?? [];
    groups.set(keyOf(entry), group);
    group.push(entry);
  }
  return groups;
}
