import { handOver, TAKEN } from "../support/crash/post";
import type { SeededRandom } from "../support/crash/seeded-random";
import type { ServiceProcess } from "../support/crash/service-process";
import { peopleOf, type PlannedMessage } from "../support/crash/traffic";
import type { SeenResult } from "../support/crash/flow-log";
import type { ClusterDatabase } from "./cluster-database";
import type { ClusterNode } from "./cluster-node";
import { lifeAmongAll } from "./seen-by-all";

/** Messages that are on their way to a flow at a time, and that may be without all of their results. */
const AT_ONCE = 16;
const MOST_OPEN = 2_000;
/** ms until a message that the store refused is handed in once more. */
const REFUSED_PAUSE = 2_000;
/** Part of the messages that go to a Node-RED although it is in trouble. */
const TO_TROUBLED = 0.1;
/** So many of them at a time: a frozen one answers none, one without its store refuses each. */
const MOST_AT_TROUBLED = 3;
const MOST_REFUSED = 20;
const PACE = 5;

/** A message that was handed to a flow and has not all of its results. */
interface Attempt {
  readonly message: PlannedMessage;
  /** From 1. */
  readonly number: number;
  readonly node: ClusterNode;
  /** Status of the answer to the hand-in; null for none so far, or none at all. */
  answer: number | null;
  /** People without a result. */
  readonly missing: Set<string>;
  /** Numbers whose result says that the store could not be written. */
  readonly refused: Set<string>;
  refusedAt: number;
}

/** Node-RED's answer to a request whose header it could not read in 60 s: it was stopped amid it, and no flow has it. */
const TIMED_OUT = 408;

export const handInKey = (id: string, attempt: number | null): string => `${id} ${attempt}`;

/** Hands messages to the flows of all Node-REDs, and keeps account of them. */
export class HandIn {
  /** Ids of messages that got all of their results. */
  readonly done = new Set<string>();
  /** Hand-ins that a kill hit before the message was in the store. */
  again = 0;
  /** Hand-ins that came back: the store could not be written, or the request had timed out. */
  refusals = 0;
  readonly breaches: string[] = [];
  /** The life among those of all Node-REDs that each hand-in went to, by `handInKey`. */
  readonly takers = new Map<string, number>();
  /** Messages whose people a Join node may have lost by a deploy. */
  readonly ungrouped = new Set<string>();
  /** Number of messages that may have been handed in by now. */
  #allowed = 0;
  #begun = 0;
  #ended = false;
  readonly #waiting: PlannedMessage[];
  #later: { readonly message: PlannedMessage; readonly at: number }[] = [];
  readonly #open = new Map<string, Attempt>();
  readonly #attempts = new Map<string, number>();
  readonly #posts = new Map<Promise<void>, ClusterNode>();
  #refused: Attempt[] = [];
  #checks = false;
  /** The database could not be asked. */
  #fault: Error | null = null;

  constructor(
    private readonly nodes: readonly ClusterNode[],
    private readonly service: ServiceProcess,
    private readonly database: ClusterDatabase,
    private readonly random: SeededRandom,
    planned: readonly PlannedMessage[],
  ) {
    this.#waiting = [...planned];
    for (const { nodeRed } of nodes) {
      nodeRed.log.onResult = (person, result) => this.#count(person, result);
    }
  }

  /** Messages that are still to be handed in. */
  get waiting(): number {
    return this.#waiting.length + this.#later.length;
  }

  /** Messages that were handed in and have not all of their results. */
  get open(): number {
    return this.#open.size;
  }

  /** What is missing, for an error. */
  get missing(): readonly string[] {
    return this.missingOf([...this.#open.values()].map(({ message }) => message.recipients[0] ?? ""));
  }

  /** As `missing`, of the messages with these first numbers. */
  missingOf(numbers: readonly string[]): readonly string[] {
    const wanted = new Set(numbers);
    const open = [...this.#open.values()].filter(({ message }) => wanted.has(message.recipients[0] ?? ""));
    return open.map(
      ({ message: { id }, number, node, answer, missing, refused }) =>
        `${id} (hand-in ${number} to ${node.name}, answered with ${answer}, ${missing.size} without a result, ` +
        `${refused.size} refused by the store)`,
    );
  }

  /** Lets this part of all messages be handed in, from 0 to 1. */
  allow(part: number): void {
    this.#allowed = Math.ceil(part * (this.waiting + this.#begun));
  }

  /** Hands in whatever may be, until `end` is called. */
  async run(): Promise<void> {
    while (!this.#ended) {
      this.read();
      while (this.#posts.size < AT_ONCE && this.open < MOST_OPEN && this.#handInNext()) {}
      // The database may be away; everything else goes on meanwhile.
      if (!this.#checks) void this.#checkRefused();
      if (this.#fault !== null) throw this.#fault;
      await new Promise((resolve) => setTimeout(resolve, PACE));
    }
  }

  end(): void {
    this.#ended = true;
  }

  /** Hands a message in that was not among the planned ones, to this node. */
  handTo(node: ClusterNode, message: PlannedMessage): void {
    this.#begun++;
    this.#send(message, node);
  }

  /** Reads what the flows have written. */
  read(): void {
    for (const { nodeRed } of this.nodes) nodeRed.log.read();
  }

  /** Waits until nothing is on its way to the flow of a node that takes no messages. */
  async untilHandedIn(node: ClusterNode): Promise<void> {
    await Promise.all([...this.#posts].filter(([, to]) => to === node).map(([post]) => post));
  }

  /** First numbers of the open messages that this node took, or was about to take. */
  firstNumbers(node: ClusterNode): readonly string[] {
    return this.#openAt(node).flatMap(({ message }) => message.recipients.slice(0, 1));
  }

  /** Messages at this node that are open and have several people. */
  noteGroups(node: ClusterNode): void {
    for (const { message } of this.#openAt(node)) this.ungrouped.add(message.id);
  }

  /**
   * The process of this node was killed, and everything that it wrote is known: hands in again what is not in the store.
   * @param stored first numbers of those that are
   * @returns the others
   */
  takeBack(node: ClusterNode, stored: ReadonlySet<string>): readonly PlannedMessage[] {
    const back: PlannedMessage[] = [];
    for (const { message, answer } of this.#openAt(node)) {
      if (stored.has(message.recipients[0] ?? "")) continue;
      if (answer === TAKEN) this.again++;
      this.#open.delete(message.id);
      this.#waiting.unshift(message);
      this.#begun--;
      back.push(message);
    }
    this.#refused = this.#refused.filter((attempt) => this.#open.get(attempt.message.id) === attempt);
    return back;
  }

  #openAt(node: ClusterNode): readonly Attempt[] {
    return [...this.#open.values()].filter((attempt) => attempt.node === node);
  }

  #handInNext(): boolean {
    const node = this.#nodeForNext();
    if (node === null) return false;
    const due = this.#later.findIndex(({ at }) => at <= performance.now());
    const message =
      due >= 0
        ? this.#later.splice(due, 1)[0]?.message
        : this.#begun < this.#allowed
          ? this.#waiting.shift()
          : undefined;
    if (message === undefined) return false;
    this.#begun++;
    this.#send(message, node);
    return true;
  }

  #send(message: PlannedMessage, node: ClusterNode): void {
    const posting = this.#post(message, node).finally(() => this.#posts.delete(posting));
    this.#posts.set(posting, node);
  }

  #nodeForNext(): ClusterNode | null {
    const taking = this.nodes.filter(({ takes }) => takes);
    const well = taking.filter(({ troubled }) => !troubled);
    const posts = [...this.#posts.values()];
    const ill = taking.filter(
      (node) =>
        node.troubled &&
        this.#refused.length + this.#later.length < MOST_REFUSED &&
        posts.filter((to) => to === node).length < MOST_AT_TROUBLED,
    );
    if (ill.length > 0 && (well.length === 0 || this.random.chance(TO_TROUBLED)))
      return this.random.pick(ill);
    return well.length > 0 ? this.random.pick(well) : null;
  }

  async #post(message: PlannedMessage, node: ClusterNode): Promise<void> {
    const { id } = message;
    const number = (this.#attempts.get(id) ?? 0) + 1;
    this.#attempts.set(id, number);
    const attempt: Attempt = {
      message,
      number,
      node,
      answer: null,
      missing: new Set(peopleOf(message)),
      refused: new Set(),
      refusedAt: 0,
    };
    this.#open.set(id, attempt);
    this.takers.set(handInKey(id, number), lifeAmongAll(node.at, node.nodeRed.log.life));
    attempt.answer = await handOver(this.service, node.nodeRed.url, message, number);
    if (attempt.answer === TIMED_OUT && this.#open.get(id) === attempt) this.#refuse(attempt);
  }

  #count(person: string, { mark, attempt: number, statusName }: SeenResult): void {
    const attempt = this.#open.get(String(mark));
    if (attempt === undefined || attempt.number !== number) return;
    if (statusName === "STORE_UNAVAILABLE") {
      attempt.refused.add(person);
      if (attempt.refused.size === attempt.message.recipients.length) this.#refuse(attempt);
      return;
    }
    attempt.missing.delete(person);
    if (attempt.missing.size === 0) {
      this.done.add(attempt.message.id);
      this.#open.delete(attempt.message.id);
    }
  }

  #refuse(attempt: Attempt): void {
    attempt.refusedAt = performance.now();
    this.#refused.push(attempt);
  }

  /** Messages that came back as surely not stored must not be in the store; then they are handed in once more. */
  async #checkRefused(): Promise<void> {
    const now = performance.now();
    const ripe = this.#refused.filter(({ refusedAt }) => now - refusedAt > REFUSED_PAUSE);
    if (ripe.length === 0) return;
    this.#checks = true;
    let stored: ReadonlySet<string>;
    try {
      stored = await this.database.taken(ripe.flatMap(({ message }) => message.recipients));
    } catch (error) {
      this.#fault = error as Error;
      return;
    } finally {
      this.#checks = false;
    }
    this.#refused = this.#refused.filter((attempt) => !ripe.includes(attempt));
    for (const attempt of ripe) {
      const { message } = attempt;
      if (this.#open.get(message.id) !== attempt) continue;
      if (message.recipients.some((number) => stored.has(number))) {
        this.#open.delete(message.id);
        this.breaches.push(`${message.id}: refused at hand-in ${attempt.number}, and it is in the store`);
        continue;
      }
      this.refusals++;
      this.#begun--;
      this.#open.delete(message.id);
      this.#later.push({ message, at: now });
    }
  }
}
