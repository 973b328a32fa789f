import { setTimeout } from "node:timers/promises";
import type { Sightings } from "./flow-log";
import type { Gathered, HandedIn, SeenResult } from "./judge";
import type { NodeRedProcess } from "./node-red-process";
import type { SeededRandom } from "./seeded-random";
import type { Service } from "./service";

/** Posts under way at a time, and messages of one Node-RED that wait for results. */
const MAX_POSTS = 12;
const MAX_OPEN = 80;
/** Messages of the rated account that wait at one Node-RED, and the part of the hand-ins for it as long as there are fewer. */
const MAX_RATED = 12;
const RATED = 0.5;
const PACE_MS = 5;
/** Each n-th hand-in is a list, and each n-th of the rest goes to a digest. */
const LIST_EVERY = 400;
const DIGEST_EVERY = 5;
const DIGEST_KEYS = 12;

const ACCEPTED = 202;
const REFUSED = 0;
/** No process listens, the flows are stopped, or the request timed out in a frozen process: no flow has the message. */
const NOT_ACCEPTED: readonly (number | null)[] = [REFUSED, 404, 408, 503];

/** The fifth digit of a number determines what the service does with it. */
const FATES = { plain: 0, refused: 1, retried: 2, slow: 3, delayed: 4 } as const;
type Fate = keyof typeof FATES;
const STANDING_FAULTS = [
  { recipient: `4179${FATES.refused}*`, times: 0, answer: { statusCode: 4031 } },
  { recipient: `4179${FATES.slow}*`, times: 0, answer: { statusCode: 2000, delayMs: 300 } },
  { recipient: `4179${FATES.delayed}*`, times: 0, answer: { statusCode: 2000, delayMs: 60 } },
] as const;
const RETRY = { recipient: `4179${FATES.retried}*`, times: 1, answer: { statusCode: 5003 } };
const SMS = ["sms-form", "sms-json", "sms-get"];
const USUAL: readonly Fate[] = [
  ...(["plain", "plain", "plain", "plain", "plain", "slow", "slow"] as const),
  ...(["delayed", "delayed", "retried", "refused"] as const),
];

type Numbers = readonly string[];
type Planned = Readonly<{ sender: string; numbers: Numbers; key?: string; sensitive?: true; isPart?: true }>;

/** Posts on a connection of its own. @returns the status; `REFUSED`; null for no response */
async function post(url: string, body: unknown): Promise<number | null> {
  const headers = { "content-type": "application/json", connection: "close" };
  try {
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: string } };
    return cause?.code === "ECONNREFUSED" ? REFUSED : null;
  }
}

export class Feeder {
  readonly messages = new Map<string, HandedIn>();
  readonly gathered = new Map<string, Gathered>();
  readonly #open = new Map<string, Set<string>>();
  readonly #posts = new Map<Promise<void>, NodeRedProcess>();
  #handed = 0;
  #numbers = 0;
  #isEnded = false;

  constructor(
    private readonly nodeReds: readonly NodeRedProcess[],
    private readonly service: Service,
    private readonly random: SeededRandom,
    seen: Sightings,
  ) {
    seen.onResult = (result) => this.#note(result);
  }

  async run(): Promise<void> {
    for (const addFault of STANDING_FAULTS) await this.service.run({ addFault });
    while (!this.#isEnded) {
      for (const { log } of this.nodeReds) log.read();
      for (const nodeRed of this.nodeReds) {
        const isReady = nodeRed.accepts && this.#findPosts(nodeRed).length < MAX_POSTS / this.nodeReds.length;
        if (!isReady || this.findOpen(nodeRed).length >= MAX_OPEN) continue;
        const posting = this.#handInNext(nodeRed).finally(() => this.#posts.delete(posting));
        this.#posts.set(posting, nodeRed);
      }
      await setTimeout(PACE_MS);
    }
    await Promise.all(this.#posts.keys());
    await this.service.run("clear faults");
  }

  end(): void {
    this.#isEnded = true;
  }

  /** Messages that were handed to a Node-RED, or to all, and have not all results. */
  findOpen(nodeRed?: NodeRedProcess): readonly HandedIn[] {
    const open = [...this.#open.keys()].map((id) => this.messages.get(id) as HandedIn);
    return open.filter(({ node }) => nodeRed === undefined || node === nodeRed.index);
  }

  async untilAnswered(nodeRed: NodeRedProcess): Promise<void> {
    await Promise.all(this.#findPosts(nodeRed));
  }

  /** The process of a Node-RED has ended. @param stored numbers in the store; null if no store can be read */
  noteEnd(nodeRed: NodeRedProcess, stored: ReadonlySet<string> | null): void {
    for (const message of this.findOpen(nodeRed)) {
      if (message.life >= nodeRed.log.life) continue;
      const isStored = stored?.has(message.numbers[0] ?? "");
      message.fate = isStored === undefined ? "unsure" : isStored ? "accepted" : "missing";
      if (message.fate !== "accepted") this.#open.delete(message.id);
    }
  }

  probe(nodeRed: NodeRedProcess): Promise<void> {
    return this.#handIn(nodeRed, [{ sender: "sms-json", numbers: this.#pickNumbers(1, "plain") }]);
  }

  #findPosts(nodeRed: NodeRedProcess): readonly Promise<void>[] {
    return [...this.#posts].filter(([, to]) => to === nodeRed).map(([posting]) => posting);
  }

  #handInNext(nodeRed: NodeRedProcess): Promise<void> {
    this.#handed++;
    if (this.#handed % DIGEST_EVERY === 0) return this.#gather(nodeRed);
    const rated = this.findOpen(nodeRed).filter(({ sender }) => sender === "rated").length;
    const isRated = rated < MAX_RATED && this.random.next() < RATED;
    const numbers = this.#pickNumbers(1, "plain");
    return this.#handIn(nodeRed, isRated ? [{ sender: "rated", numbers }] : this.#plan());
  }

  #plan(): readonly Planned[] {
    const { random } = this;
    const numbers = (count = 1, fate?: Fate): Numbers => this.#pickNumbers(count, fate);
    if (this.#handed % LIST_EVERY === 1) {
      return [{ sender: "list", numbers: numbers(random.between(1_001, 1_300), "plain") }];
    }
    const dice = random.next();
    if (dice < 0.36) return [{ sender: random.pick(SMS), numbers: numbers() }];
    if (dice < 0.48) return [{ sender: "template", numbers: numbers() }];
    if (dice < 0.58) return [{ sender: "rcs", numbers: numbers() }];
    if (dice < 0.66) return [{ sender: "template", numbers: numbers(random.between(2, 5)) }];
    if (dice < 0.74) return [1, 2, 3].map(() => ({ sender: "sms-form", numbers: numbers(), isPart: true }));
    if (dice < 0.82) return [{ sender: "urgent", numbers: numbers() }];
    if (dice < 0.88) return [{ sender: "sms-json", numbers: numbers(), sensitive: true }];
    if (dice < 0.94) return [{ sender: "wait", numbers: numbers(1, "plain") }];
    const once = { sender: "once", numbers: numbers(1, "delayed"), key: `key-${this.#handed}` };
    return [once, once];
  }

  #pickNumbers(count: number, fate?: Fate): Numbers {
    return Array.from({ length: count }, () => {
      const picked = FATES[fate ?? this.random.pick(USUAL)];
      return `4179${picked}${String(++this.#numbers).padStart(6, "0")}`;
    });
  }

  async #handIn(nodeRed: NodeRedProcess, planned: readonly Planned[]): Promise<void> {
    const { index: node, log } = nodeRed;
    const first = this.messages.size;
    const all = planned.map(({ sender, numbers, key = null }, index): HandedIn => {
      const common = { id: `chaos-${first + index}`, sender, node, life: log.life, numbers, key };
      return { ...common, handedAt: Date.now(), fate: "open" };
    });
    for (const message of all) {
      this.messages.set(message.id, message);
      this.#open.set(message.id, new Set(message.numbers));
    }
    const numbers = planned.flatMap((each) => each.numbers);
    const isRetried = numbers.some((number) => number.startsWith(`4179${FATES.retried}`));
    if (isRetried) await this.service.run({ addFault: RETRY });
    const messages = planned.map(({ numbers: to, key, sensitive, isPart }, index) => {
      const parts = isPart && { id: `group-${first}`, index, count: planned.length, type: "array" };
      return { id: all[index]?.id, to: to.length === 1 ? to[0] : to, key, sensitive, parts };
    });
    const status = await post(`${nodeRed.url}/hand-in`, { node: planned[0]?.sender, messages });
    for (const message of all) {
      if (message.fate !== "open") continue;
      if (status === ACCEPTED) message.fate = "accepted";
      else if (NOT_ACCEPTED.includes(status)) message.fate = "missing";
      if (message.fate === "missing") this.#open.delete(message.id);
    }
  }

  async #gather(nodeRed: NodeRedProcess): Promise<void> {
    const id = `alarm-${this.gathered.size}`;
    const gathered: Gathered = { key: `pump ${this.random.between(1, DIGEST_KEYS)}`, isAccepted: false };
    this.gathered.set(id, gathered);
    const status = await post(`${nodeRed.url}/gather`, { id, key: gathered.key });
    gathered.isAccepted = status === ACCEPTED;
  }

  #note({ mark, numbers }: SeenResult): void {
    const open = this.#open.get(mark);
    for (const number of numbers) open?.delete(number);
    if (open?.size === 0) this.#open.delete(mark);
  }
}
