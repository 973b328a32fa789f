import { RATE, type Storage } from "./flows";
import type { NetworkReport, SeenAtFront } from "./network-process";

/** A message that was handed to a flow. Times are epoch ms. */
export interface HandedIn {
  readonly id: string;
  readonly sender: string;
  /** Index of the Node-RED, and which of its processes it was. */
  readonly node: number;
  readonly life: number;
  readonly numbers: readonly string[];
  readonly key: string | null;
  readonly handedAt: number;
  /** `accepted`: the node has it; `missing`: its process ended without it in the store; `unsure`: it ended without a store. */
  fate: "open" | "accepted" | "missing" | "unsure";
}

export type Seen = Readonly<{ node: number; life: number; at: number }>;
export type SeenResult = Seen &
  Readonly<{
    mark: string;
    outcome: string;
    statusName: string;
    numbers: readonly string[];
    restored: boolean;
  }>;
export type SeenWait = Seen & Readonly<{ mark: string; restored: boolean }>;
export type SeenEvent = Seen & Readonly<{ kind: string; key: string; possibleDuplicate: boolean }>;
export type SeenDigest = Seen &
  Readonly<{
    id: string;
    key: string;
    count: number;
    over: boolean;
    ids: readonly string[];
    restored: boolean;
  }>;

export type Gathered = { readonly key: string; isAccepted: boolean };
export type MadeEvent = Readonly<{ key: string; number: string | null; status: string | null }>;

/** What the store contains of one number at the end. `clientId`: id of the message, perhaps with the number of a part. */
export type HistoryRow = Readonly<
  Record<"outcome" | "settledBy" | "delivery", string | null> &
    Record<"clientId" | "number" | "state", string>
> & {
  /** The process that had the request last. */
  readonly pid: number | null;
};

/**
 * What a disturbance excuses. `process`: the process ends or stands still; `store`: the store is away; `network`: connections end before
 * the network sees a request; `flows`: flows stop, and lose messages between nodes.
 */
export type Reach = "process" | "store" | "network" | "flows" | "nothing";

/** `node`: index of the Node-RED; null for all of them. */
type Time = Readonly<{ from: number; to: number }>;
export type Disturbance = Time & Readonly<{ kind: string; reach: Reach; node: number | null }>;

export interface Observations extends Omit<NetworkReport, "made"> {
  readonly storage: Storage;
  readonly messages: ReadonlyMap<string, HandedIn>;
  readonly results: readonly SeenResult[];
  readonly waits: readonly SeenWait[];
  readonly history: readonly HistoryRow[];
  readonly processes: ReadonlyMap<number, number>;
  readonly made: readonly MadeEvent[];
  readonly events: readonly SeenEvent[];
  readonly gathered: ReadonlyMap<string, Gathered>;
  readonly digests: readonly SeenDigest[];
  readonly disturbances: readonly Disturbance[];
  /** People and messages that nodes of an account in memory have logged when flows stopped. */
  readonly logged: number;
  readonly breaches: readonly string[];
}

export const RULES = [
  ...(["twice", "lost", "without outcome", "wrong outcome", "unknown", "sent after unknown"] as const),
  ...(["result missing", "result again", "wait", "event lost", "event again", "delivery"] as const),
  ...(["rate", "digest", "breach"] as const),
] as const;
export type Rule = (typeof RULES)[number];

/** A promise that was broken. `subject`: id of the message, event or digest. */
export type Verdict = Readonly<{ rule: Rule; subject: string; what: string }>;

export type Judged = Readonly<{ observed: Observations; verdicts: readonly Verdict[] }>;

/** ms after a disturbance in which time limits end, and in which marks of what was emitted are written. */
const AFTERMATH = 5_000;
/** ms by which the clocks of a front and a flow may differ. */
const TOLERANCE = 50;
const SECOND = 1_000;
/** What keeps a process from sending and writing. */
const STILL: readonly Reach[] = ["process", "store"];
/** The node returns a message that is surely not stored, or of which nobody knows whether it is. */
const NOT_STORED = ["STORE_UNAVAILABLE", "STORE_UNCERTAIN"];
/** Responses after which the service has surely not accepted a message, and the node may try again. */
const REPEATABLE = new Set([5003, 4023, 429, 401]);

const toMark = (clientId: string): string => /^\w+-\d+/.exec(clientId)?.[0] ?? clientId;

const groupBy = <Entry>(entries: readonly Entry[], keysOf: (entry: Entry) => readonly string[]) => {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    for (const key of keysOf(entry)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [entry]);
      else group.push(entry);
    }
  }
  return groups;
};

export function judge(observed: Observations): readonly Verdict[] {
  return new Judgement(observed).run();
}

interface Person {
  readonly message: HandedIn;
  readonly requests: readonly SeenAtFront[];
  readonly accepted: NetworkReport["acceptances"];
  readonly results: readonly SeenResult[];
  readonly history: readonly HistoryRow[];
}

class Judgement {
  readonly #verdicts: Verdict[] = [];
  /** Ids of accepted messages, once for each number without a result. */
  readonly #missing: { readonly id: string; readonly isLost: boolean }[] = [];

  constructor(private readonly o: Observations) {}

  run(): readonly Verdict[] {
    this.#judgePeople();
    // Nodes of an account in memory log people and messages of which stopped flows may receive no result.
    const isLogged = new Set(this.#missing.map(({ id }) => id)).size <= this.o.logged;
    for (const { id, isLost } of isLogged ? [] : this.#missing) {
      if (isLost) this.#find("lost", id, "nothing is known of it");
      this.#find("result missing", id, `one of ${this.#missing.length}; the logs count ${this.o.logged}`);
    }
    this.#judgeWaits();
    this.#judgeEvents();
    this.#judgeRate();
    this.#judgeDigests();
    for (const breach of this.o.breaches) this.#find("breach", "", breach);
    return this.#verdicts;
  }

  #find(rule: Rule, subject: string, what: string): void {
    this.#verdicts.push({ rule, subject, what });
  }

  /** Whether something disturbed a Node-RED between two times. */
  #isDisturbed(node: number, from: number, to: number, reaches = STILL, aftermath = AFTERMATH): boolean {
    return this.o.disturbances.some(
      (each) =>
        reaches.includes(each.reach) &&
        (each.node === null || each.node === node) &&
        each.from <= to &&
        each.to + aftermath >= from,
    );
  }

  #judgePeople(): void {
    const { messages, requests, acceptances, results, history } = this.o;
    const byRequest = groupBy(requests, ({ numbers }) => numbers);
    const byAcceptance = groupBy(acceptances, ({ number }) => [number]);
    const byTime = [...results].sort((a, b) => a.at - b.at);
    const byResult = groupBy(byTime, ({ mark, numbers }) => numbers.map((number) => `${mark} ${number}`));
    const byHistory = groupBy(history, ({ clientId, number }) => [`${toMark(clientId)} ${number}`]);
    for (const message of messages.values()) {
      for (const number of message.numbers) {
        const person = {
          message,
          requests: byRequest.get(number) ?? [],
          accepted: byAcceptance.get(number) ?? [],
          results: byResult.get(`${message.id} ${number}`) ?? [],
          history: byHistory.get(`${message.id} ${number}`) ?? [],
        };
        this.#judgeSending(person);
        this.#judgeResults(person);
        if (this.o.storage !== "memory") this.#judgeHistory(person);
      }
    }
  }

  #judgeSending({ message, requests, accepted, results }: Person): void {
    const { id } = message;
    if (accepted.length > 1) this.#find("twice", id, `the service accepted it ${accepted.length} times`);
    const repeated = requests.slice(0, -1).find(({ answer }) => answer === null || !REPEATABLE.has(answer));
    if (repeated !== undefined) {
      this.#find("twice", id, `requested again after a response of ${repeated.answer ?? "unknown content"}`);
    }
    if (message.fate === "missing" && requests.length > 0) {
      this.#find("twice", id, "requested although the store never had it");
    }
    // A message whose acceptance is uncertain may still be sent, as its advice says.
    const isFinal = ({ outcome, statusName }: (typeof results)[number]): boolean =>
      outcome === "unknown" && statusName !== "STORE_UNCERTAIN";
    const unknown = results.find(isFinal);
    if (unknown !== undefined && requests.some(({ at }) => at > unknown.at + TOLERANCE)) {
      this.#find("sent after unknown", id, "requested after a flow received it as unknown");
    }
  }

  #judgeResults(person: Person): void {
    const { message, results, accepted, history } = person;
    const { id, fate, key } = message;
    const last = results.at(-1);
    if (last === undefined) {
      if (fate !== "accepted") return;
      this.#missing.push({ id, isLost: accepted.length + history.length === 0 });
      return;
    }
    const what = `${last.outcome} ${last.statusName}`;
    if (["sent", "queued"].includes(last.outcome)) {
      if (accepted.length === 0) this.#find("wrong outcome", id, `${what}, and not accepted`);
    } else if (last.outcome !== "unknown" && accepted.length > 0 && key === null) {
      this.#find("wrong outcome", id, `${what}, and accepted`);
    }
    this.#judgeUnknown(person);
    this.#judgeRepeated(person);
  }

  #judgeUnknown({ message, results, requests, history }: Person): void {
    const unknown = results.find(({ outcome }) => outcome === "unknown");
    const isLost = requests.some(({ lostBy }) => lostBy !== null && lostBy !== "client");
    if (unknown === undefined || isLost) return;
    const from = requests.at(-1)?.at ?? message.handedAt;
    const owner = this.o.processes.get(Number(history[0]?.pid));
    const nodes = owner === undefined ? [message.node, unknown.node] : [owner];
    // The network does not see a request of a connection that it ends.
    const isExcused = nodes.some((node) => this.#isDisturbed(node, from, unknown.at, [...STILL, "network"]));
    if (isExcused) return;
    this.#find("unknown", message.id, `${unknown.statusName}, and nothing had happened`);
  }

  #judgeRepeated({ message: { id }, results }: Person): void {
    if (results.filter(({ restored }) => !restored).length > 1) {
      this.#find("result again", id, "emitted again without `restored`");
    }
    for (const [index, next] of results.slice(1).entries()) {
      const { node, at, outcome } = results[index] as SeenResult;
      // An outcome that the store could not write is lost with its process.
      const isUnwritten = next.outcome === "unknown" && this.#isDisturbed(node, at, at);
      if (outcome !== next.outcome && outcome !== "unknown" && !isUnwritten) {
        this.#find("wrong outcome", id, `${outcome}, and later ${next.outcome}`);
      }
      // A mark is written soon after the result is emitted, unless something happens to the process.
      const isThawed = next.node !== node && this.#isDisturbed(next.node, at, next.at);
      if (isThawed || this.#isDisturbed(node, at, at + AFTERMATH)) continue;
      this.#find("result again", id, "emitted again long after it was emitted");
    }
  }

  #judgeHistory({ message: { id, fate }, results, history, accepted }: Person): void {
    const last = results.at(-1);
    if (NOT_STORED.includes(last?.statusName ?? "")) {
      const isStored = history.length > 0 && last?.statusName === "STORE_UNAVAILABLE";
      if (isStored) this.#find("wrong outcome", id, "returned as not stored, and the store has it");
      return;
    }
    if (history.length === 0 && (fate !== "accepted" || (accepted.length === 0 && last === undefined)))
      return;
    const [row] = history;
    if (history.length !== 1 || row?.state !== "emitted") {
      this.#find("without outcome", id, `${history.length} in the history, ${row?.state ?? "no state"}`);
    } else if (last !== undefined && row.outcome !== last.outcome && last.outcome !== "unknown") {
      this.#find("wrong outcome", id, `${last.outcome} for the flow, ${row.outcome} in the history`);
    }
  }

  #judgeWaits(): void {
    const { messages, results, waits } = this.o;
    const byMark = groupBy(waits, ({ mark }) => [mark]);
    for (const { mark, outcome, node, at } of results) {
      if (messages.get(mark)?.sender !== "wait" || !["sent", "queued", "unknown"].includes(outcome)) continue;
      const ends = byMark.get(mark) ?? [];
      const isDisturbed = this.#isDisturbed(node, at, at + AFTERMATH, [...STILL, "flows"]);
      if (ends.length === 0 && !isDisturbed) this.#find("wait", mark, "did not end");
    }
    // A result that is emitted again begins a wait again.
    const emissions = groupBy(results, ({ mark }) => [mark]);
    for (const [mark, ends] of byMark) {
      const isTwice = ends.filter(({ restored }) => !restored).length > (emissions.get(mark)?.length ?? 0);
      if (isTwice) this.#find("wait", mark, "ended twice");
    }
  }

  #judgeEvents(): void {
    const { made, events, history, messages } = this.o;
    const byTime = [...events].sort((a, b) => a.at - b.at);
    const byKey = groupBy(byTime, ({ key }) => [key]);
    for (const { key } of made) if (!byKey.has(key)) this.#find("event lost", key, "no flow received it");
    for (const [key, copies] of byKey) {
      const unmarked = copies.filter(({ possibleDuplicate }) => !possibleDuplicate).length;
      const isUnexcused = copies
        .slice(1)
        .some((next, index) => !this.#isExcused(copies[index] as SeenEvent, next));
      if (unmarked > 1 || isUnexcused) {
        this.#find("event again", key, `${copies.length} times, ${unmarked} without a mark`);
      }
    }
    const delivered = new Set(made.flatMap(({ number, status }) => (status === "delivered" ? [number] : [])));
    for (const { clientId, number, delivery, outcome } of history) {
      const isReported = outcome === "sent" && messages.get(toMark(clientId))?.sender !== "rated";
      if (!isReported || !delivered.has(number) || ["delivered", "read"].includes(delivery ?? "")) continue;
      this.#find("delivery", toMark(clientId), `${delivery ?? "nothing"} in the history, and delivered`);
    }
  }

  /** Only a stop of the flows makes one process emit an event again: its redelivery otherwise matches a stored key. */
  #isExcused({ kind, node, life, at }: SeenEvent, next: SeenEvent): boolean {
    if (kind === "inbound") return true;
    if (next.node === node && next.life === life) {
      return this.#isDisturbed(node, at - TOLERANCE, at + TOLERANCE, ["flows"], 0);
    }
    const reaches: readonly Reach[] = [...STILL, "flows"];
    return [node, next.node].some((each) => this.#isDisturbed(each, at - AFTERMATH, at + AFTERMATH, reaches));
  }

  #judgeRate(): void {
    const times = this.o.requests.filter(({ isRated, path }) => isRated && !path.includes("/oauth"));
    // What came while the network was delayed may belong to an earlier time.
    const isLate = ({ at }: SeenAtFront): boolean =>
      this.o.stalls.some(([, end]) => at >= end - 1 && at <= end + 10);
    const sure = times.filter((each) => !isLate(each)).map(({ at }) => at);
    let first = 0;
    let busiest = 0;
    for (const [index, at] of sure.entries()) {
      while (at - (sure[first] ?? 0) >= SECOND) first++;
      busiest = Math.max(busiest, index - first + 1);
    }
    const allowed = RATE + new Set(this.o.processes.values()).size;
    if (busiest > allowed) this.#find("rate", "", `${busiest} requests in a second, ${allowed} are allowed`);
  }

  #judgeDigests(): void {
    const { gathered } = this.o;
    const digests = [...this.o.digests].sort((a, b) => a.at - b.at);
    const byId = groupBy(digests, ({ ids }) => ids);
    for (const { id, key, count, ids } of digests) {
      const isRight = count === ids.length && new Set(ids).size === count;
      if (!isRight) this.#find("digest", id, `counts ${count} messages, and lists ${ids.length}`);
      const isMixed = ids.some((each) => gathered.get(each)?.key !== key);
      if (isMixed) this.#find("digest", id, "has messages of others");
    }
    for (const [id, all] of byId) {
      const { node, at } = all[0] as SeenDigest;
      const isAgain = all.filter(({ restored }) => !restored).length > 1;
      if (isAgain) this.#find("digest", id, "emitted again without a mark");
      const isDisturbed = this.#isDisturbed(node, at - AFTERMATH, at + AFTERMATH, [...STILL, "flows"]);
      const isExcused = all.length === 1 || isDisturbed;
      if (!isExcused) this.#find("digest", id, "emitted again without a reason");
      const different = new Set(all.map((digest) => `${digest.id} ${digest.ids.join()}`));
      if (different.size > 1) this.#find("digest", id, "in different digests");
    }
    if (this.o.storage === "memory") return;
    for (const [id, { isAccepted }] of gathered) {
      if (isAccepted && !byId.has(id)) this.#find("digest", id, "in no digest");
    }
  }
}
