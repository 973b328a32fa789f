import type { WaitKind } from "../../shared/fields/wait-fields";
import { Batches } from "../engine/batches";
import type { Clock } from "../engine/clock";
import type { Engine, Row } from "../engine/engine";
import { sliced } from "../engine/sliced";
import { tellTakers } from "./tell-takers";
import { ADD, DROP_REPEATED, ADD_RECIPIENTS, REPLACE, COUNT, BEGUN } from "./begin-statements";
import {
  ONE,
  SOME,
  HEARD_ROWS,
  HEARD_WAITS,
  SILENT_WAITS,
  SILENT_ROWS,
  REPLIES,
  ANSWER,
  TAKE_REPLY,
  ANSWERED_BY,
  SET_ASIDE,
  DROP_REPLY,
  ADOPT,
  OPEN,
} from "./look-statements";
import {
  DUE,
  END_GROUPS,
  SILENCE,
  END,
  NEXT_END,
  FORGET_REPLIES,
  FORGET,
  RECOUNT,
  END_GROUPS_OF,
} from "./end-statements";
import {
  ASSIGN_EARLIER,
  ASSIGN_RECENTLY,
  HEARD_BEFORE,
  HEARD_MEANWHILE,
  HEARD_RECENTLY,
} from "./heard-statements";
import type {
  Heard,
  HeardRecipient,
  HeardWait,
  NewWait,
  OpenWait,
  PendingReply,
  ReplyChannel,
  SilentWaits,
  WaitStore,
} from "./wait";

/** In the order in which the statement reads them. */
const ENTRY = [
  "key",
  "account",
  "node",
  "taker",
  "kind",
  "channel",
  "transferId",
  "clientMessageId",
  "until",
  "group",
  "snapshot",
] as const satisfies readonly (keyof NewWait)[];

const entryOf = (wait: NewWait) => [...ENTRY.map((name) => wait[name]), wait.recipients[0] ?? null];

/** A wait, and a place in it. */
type LeftEnd = readonly [number, number];

/** The waits of all accounts in one database. */
export class WaitRows implements WaitStore {
  readonly #begins = new Batches<NewWait, OpenWait | "goes on" | null>((all) => this.#beginAll(all));
  readonly #ends = new Batches<readonly LeftEnd[], undefined>((all) => this.#leftAll(all));

  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
  ) {}

  begin(wait: NewWait): Promise<OpenWait | "goes on" | null> {
    return this.#begins.add(wait);
  }

  async #beginAll(all: readonly NewWait[]): Promise<readonly (OpenWait | "goes on" | null)[]> {
    const keys = JSON.stringify(all.map(({ key }) => key));
    const repeated = all.flatMap(({ key, repeated }) => (repeated ? [key] : []));
    const rows = await this.engine.run([
      { statement: ADD, values: [JSON.stringify(all.map(entryOf)), this.clock.now()] },
      { statement: DROP_REPEATED, values: [JSON.stringify(repeated)] },
      ...[ADD_RECIPIENTS, REPLACE, COUNT, ASSIGN_EARLIER, HEARD_BEFORE, BEGUN].map((each) => ({
        statement: each,
        values: [keys],
      })),
    ]);
    const begun = new Map((rows.at(-1) ?? []).map((row) => [String(row.wait_key), toWait(row)]));
    const goingOn = new Set((rows[1] ?? []).map((row) => String(row.wait_key)));
    return all.map(({ key }) => {
      if (goingOn.has(key)) {
        return "goes on";
      }
      const wait = begun.get(key) ?? null;
      return wait?.recipients === 0 ? null : wait;
    });
  }

  async heard(taker: string, most: number, nodes: readonly string[]): Promise<readonly HeardWait[]> {
    const values = [taker, most, JSON.stringify(nodes)];
    const [rows = [], waits = []] = await this.engine.run([
      { statement: HEARD_ROWS, values },
      { statement: HEARD_WAITS, values },
    ]);
    const byWait = groupBy(rows, ({ wait }) => Number(wait));
    return waits.map((row) => {
      const wait = toWait(row);
      return { wait, heard: (byWait.get(wait.id) ?? []).map(toHeard) };
    });
  }

  async silent(taker: string, most: number, nodes: readonly string[]): Promise<readonly SilentWaits[]> {
    const values = [taker, most, JSON.stringify(nodes)];
    const [waits = [], rows = []] = await this.engine.run([
      { statement: SILENT_WAITS, values },
      { statement: SILENT_ROWS, values },
    ]);
    const byWait = groupBy(rows, ({ wait }) => Number(wait));
    const groups = groupBy(waits.map(toWait), ({ group, key }) => group ?? key);
    return [...groups.values()].map((members) => ({
      waits: members.map((wait) => {
        const silent = byWait.get(wait.id) ?? [];
        return {
          wait,
          numbers: silent.map(({ number }) => String(number)),
          places: silent.map(({ place }) => Number(place)),
          replaced: silent.some(({ replaced }) => Number(replaced) === 1),
        };
      }),
    }));
  }

  async replies(taker: string, most: number, nodes: readonly string[]): Promise<readonly PendingReply[]> {
    const values = [taker, most, JSON.stringify(nodes)];
    const [rows = []] = await this.engine.run([{ statement: REPLIES, values }]);
    return rows.map(toReply);
  }

  async answered({ id, wait, place, at }: PendingReply): Promise<boolean> {
    const [, , rows = []] = await this.engine.run([
      { statement: ANSWER, values: [id, wait, place, at] },
      { statement: TAKE_REPLY, values: [id, wait, place] },
      { statement: ANSWERED_BY, values: [id, wait, place] },
    ]);
    return rows.length > 0;
  }

  async passed({ id, wait }: PendingReply, stays: boolean): Promise<void> {
    await this.engine.run([
      { statement: stays ? SET_ASIDE : DROP_REPLY, values: [id] },
      { statement: HEARD_MEANWHILE, values: [wait] },
    ]);
  }

  async expire(taker: string, most: number, nodes: readonly string[]): Promise<number> {
    const now = this.clock.now();
    const [due = []] = await this.engine.run([
      { statement: DUE, values: [taker, now, most, JSON.stringify(nodes)] },
      { statement: END_GROUPS, values: [taker] },
      { statement: SILENCE, values: [now] },
      { statement: END, values: [] },
    ]);
    return due.length;
  }

  async nextEnd(taker: string, nodes: readonly string[]): Promise<number | null> {
    const values = [taker, JSON.stringify(nodes)];
    const [[row] = []] = await this.engine.run([{ statement: NEXT_END, values }]);
    return row === undefined ? null : Number(row.until);
  }

  left(wait: number, places: readonly number[]): Promise<void> {
    return this.#ends.add(places.map((place) => [wait, place] as const));
  }

  async #leftAll(all: readonly (readonly LeftEnd[])[]): Promise<readonly undefined[]> {
    const values = [JSON.stringify(all.flat())];
    const results = await this.engine.run([
      ...[FORGET_REPLIES, FORGET, RECOUNT, END_GROUPS_OF].map((each) => ({ statement: each, values })),
      { statement: SILENCE, values: [this.clock.now()] },
      { statement: END, values: [] },
    ]);
    await tellTakers(this.engine, [results.at(-1) ?? []]);
    return all.map(() => undefined);
  }

  async adopt(taker: string, account: string, nodes: readonly string[]): Promise<number> {
    const list = JSON.stringify(nodes);
    let after = 0;
    return sliced(async (most) => {
      const values = [taker, account, list, most, after];
      const [rows = []] = await this.engine.run([{ statement: ADOPT, values }]);
      after = rows.reduce((last, { id }) => Math.max(last, Number(id)), after);
      return rows.length;
    });
  }

  async open(taker: string, account: string): Promise<ReadonlyMap<string, number>> {
    const [rows = []] = await this.engine.run([{ statement: OPEN, values: [taker, account] }]);
    return new Map(rows.map(({ node, open }) => [String(node), Number(open)]));
  }

  async recheck(age: number): Promise<void> {
    const values = [this.clock.now() - age];
    const told = await this.engine.run([
      { statement: HEARD_RECENTLY, values },
      { statement: ASSIGN_RECENTLY, values },
    ]);
    await tellTakers(this.engine, told);
  }

  async some(ids: readonly number[]): Promise<readonly OpenWait[]> {
    const [rows = []] = await this.engine.run([{ statement: SOME, values: [JSON.stringify(ids)] }]);
    return rows.map(toWait);
  }

  async wait(id: number): Promise<OpenWait | null> {
    const [[row] = []] = await this.engine.run([{ statement: ONE, values: [id] }]);
    return row === undefined ? null : toWait(row);
  }
}

function groupBy<Key, Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => Key): Map<Key, Entry[]> {
  const groups = new Map<Key, Entry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [entry]);
    } else {
      group.push(entry);
    }
  }
  return groups;
}

const toWait = (row: Row): OpenWait => ({
  id: Number(row.id),
  key: String(row.wait_key),
  node: String(row.node),
  kind: String(row.kind) as WaitKind,
  beganAt: Number(row.begun_at),
  until: Number(row.until),
  group: row.group_key === null ? null : String(row.group_key),
  left: Number(row.left_count),
  recipients: Number(row.recipients),
  open: Number(row.open),
  snapshot: row.snapshot === null ? null : String(row.snapshot),
});

const toHeard = (row: Row): HeardRecipient => ({
  place: Number(row.place),
  number: String(row.number),
  what: String(row.what) as Heard,
  status: row.status === null ? null : String(row.status),
  at: Number(row.at),
  reply: row.body === null ? null : String(row.body),
});

const toReply = (row: Row): PendingReply => ({
  id: Number(row.id),
  wait: Number(row.wait),
  place: Number(row.place),
  node: String(row.node),
  number: String(row.number),
  channel: String(row.channel) as ReplyChannel,
  body: String(row.body),
  at: Number(row.at),
  receivedAt: Number(row.received_at),
  isOpen: Number(row.open) > 0,
});
