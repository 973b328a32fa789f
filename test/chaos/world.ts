import { setTimeout } from "node:timers/promises";
import { freePort } from "../support/http/free-port";
import { type PostgresqlServer, startPostgresql } from "../support/store/postgresql-server";
import { waitFor } from "../support/wait-for";
import { DISTURBANCES, type Plan } from "./disturbances";
import { Feeder } from "./feeder";
import { Sightings } from "./flow-log";
import { chaosFlows, type Storage } from "./flows";
import type { Disturbance, MadeEvent, Observations } from "./judge";
import type { NetworkReport } from "./network-process";
import { NodeRedProcess } from "./node-red-process";
import { SeededRandom } from "./seeded-random";
import { Service } from "./service";
import { TcpProxy } from "./tcp-proxy";
import { NO_STORE, postgresqlReader, sqliteReader, type StoreReader } from "./store-reader";

export interface WorldOptions {
  readonly storage: Storage;
  readonly nodeReds: number;
  readonly seed: number;
  readonly plan: Plan;
}

/** ms without progress after which a run ends although something is open: longer than the lease and what follows it. */
const PATIENCE_MS = 25_000;
/** The same for accounts in memory, of which stopped flows lose messages. */
const MEMORY_PATIENCE_MS = 8_000;
/** Node-REDs that are disturbed at a time; another one always runs. */
const LANES = 2;
const RESULTS = 20;

export class World {
  readonly #nodeReds: NodeRedProcess[] = [];
  readonly #proxies: TcpProxy[] = [];
  readonly #seen = new Sightings();
  readonly #disturbances: Disturbance[] = [];
  readonly #busy = new Set<unknown>();
  #feeder!: Feeder;
  #reader: StoreReader = NO_STORE;
  #version = 0;
  #replies = 0;

  private constructor(
    private readonly options: WorldOptions,
    readonly service: Service,
    private readonly server: PostgresqlServer | null,
  ) {}

  /** Runs to the end. Every process has ended when this resolves or rejects. @returns null without PostgreSQL */
  static async run(options: WorldOptions): Promise<Observations | null> {
    const isServed = options.storage === "postgresql";
    const server = isServed ? await startPostgresql() : null;
    if (isServed && server === null) return null;
    const ports: number[] = [];
    while (ports.length < options.nodeReds) ports.push(await freePort());
    const service = await Service.start(ports);
    const world = new World(options, service, server);
    try {
      await world.#start(ports);
      return await world.#run();
    } catch (error) {
      for (const { output } of world.#nodeReds) console.log(output.slice(-3_000));
      throw error;
    } finally {
      await Promise.allSettled(world.#nodeReds.map((nodeRed) => nodeRed.end("kill")));
      await Promise.allSettled([
        service.stop(),
        server?.remove(),
        ...world.#proxies.map((proxy) => proxy.cut()),
      ]);
    }
  }

  get database(): PostgresqlServer {
    return this.server as PostgresqlServer;
  }

  proxyOf({ index }: NodeRedProcess): TcpProxy {
    return this.#proxies[index] as TcpProxy;
  }

  async delayCommits(ms: number): Promise<void> {
    const settings = { commit_delay: ms * 1_000, commit_siblings: ms > 0 ? 0 : 5 };
    for (const [name, value] of Object.entries(settings))
      await this.#query(`ALTER SYSTEM SET ${name} = ${value}`);
    await this.#query("SELECT pg_reload_conf()");
  }

  async #query(text: string): Promise<void> {
    const isDone = (): Promise<boolean> => this.database.query(text).then(Boolean, () => false);
    await waitFor("the database", isDone);
  }

  /** Deploys when the send nodes have received everything that was handed in: Node-RED drops messages between nodes. */
  async deploy(nodeRed: NodeRedProcess, type: "full" | "flows" | "nodes"): Promise<void> {
    nodeRed.accepts = false;
    await this.#feeder.untilAnswered(nodeRed);
    if (type !== "full") this.#version++;
    await nodeRed.deploy(this.#flows(), type);
    nodeRed.accepts = true;
  }

  async stopFlows(nodeRed: NodeRedProcess): Promise<void> {
    nodeRed.accepts = false;
    await this.#feeder.untilAnswered(nodeRed);
    await nodeRed.setFlowState("stop");
    await setTimeout(500);
    await nodeRed.setFlowState("start");
    nodeRed.accepts = true;
  }

  /** A process has ended: checks which messages it has left in the store. */
  async noteEnd(nodeRed: NodeRedProcess): Promise<void> {
    await this.#feeder.untilAnswered(nodeRed);
    const numbers = this.#feeder.findOpen(nodeRed).flatMap((message) => message.numbers.slice(0, 1));
    const ports = [...(this.#proxies[nodeRed.index]?.ports ?? [])];
    this.#feeder.noteEnd(nodeRed, await this.#reader.findStored(numbers, ports));
  }

  #flows() {
    return chaosFlows(this.service.urls, this.options.storage, this.#version);
  }

  async #start(ports: readonly number[]): Promise<void> {
    const { storage, seed } = this.options;
    const start = async (port: number, index: number): Promise<void> => {
      const url = new URL(this.server?.url ?? "postgresql://none");
      if (this.server !== null) {
        this.#proxies[index] = new TcpProxy([this.server.port]);
        url.port = String(await this.#proxies[index].listen());
      }
      const options = { index, port, storeUrl: url.href, seen: this.#seen };
      this.#nodeReds[index] = await NodeRedProcess.start(options, this.#flows());
    };
    // At once, as after a power failure: they find an empty database together.
    await Promise.all(ports.map(start));
    if (storage === "sqlite") this.#reader = sqliteReader(this.#nodeReds[0]?.storeFolder ?? "");
    if (this.server !== null) this.#reader = postgresqlReader(this.server.url);
    this.#feeder = new Feeder(this.#nodeReds, this.service, new SeededRandom(seed + 1), this.#seen);
  }

  async #run(): Promise<Observations> {
    const feeding = this.#feeder.run();
    await Promise.race([this.#disturb(), feeding]);
    this.#feeder.end();
    await feeding;
    await this.#drain();
    await this.#restart();
    return this.#observe();
  }

  async #disturb(): Promise<void> {
    const { plan, seed } = this.options;
    const lane = async (waiting: string[], random: SeededRandom): Promise<void> => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        await this.#disturbOnce(name, random);
      }
    };
    const nodes = [...plan.nodes];
    const lanes = Array.from({ length: Math.min(LANES, this.#nodeReds.length) }, () => nodes);
    const all = [[...plan.network], ...lanes];
    await Promise.all(all.map((waiting, index) => lane(waiting, new SeededRandom(seed + 10 + index))));
  }

  async #disturbOnce(name: string, random: SeededRandom): Promise<void> {
    const kind = DISTURBANCES[name];
    if (kind === undefined) throw new Error(`there is no disturbance ${name}`);
    const content = `Reply ${++this.#replies}`;
    await this.service.run({ receive: { event: "sms", sender: "41799999999", content } });
    const targets: readonly unknown[] = kind.on === "node" ? this.#nodeReds : [kind.on];
    const isFree = (each: unknown): boolean => !this.#busy.has(each);
    const target = await waitFor("a target that nothing else disturbs", () => {
      const free = kind.holds?.every(isFree) === false ? [] : targets.filter(isFree);
      return free.length > 0 && random.pick(free);
    });
    const held = [target, ...(kind.holds ?? [])];
    for (const each of held) this.#busy.add(each);
    const from = Date.now();
    const nodeRed = target as NodeRedProcess;
    await kind.run({ world: this, nodeRed, random });
    for (const each of held) this.#busy.delete(each);
    const node = kind.on === "node" ? nodeRed.index : null;
    this.#disturbances.push({ kind: name, reach: kind.reach, node, from, to: Date.now() });
    const enough = this.#seen.results.length + RESULTS;
    await waitFor("results", () => this.#seen.results.length >= enough, PATIENCE_MS).catch(() => {});
  }

  /** Waits until everything is done, or nothing changes. */
  async #drain(): Promise<void> {
    let last = "";
    let since = performance.now();
    const patience = this.options.storage === "memory" ? MEMORY_PATIENCE_MS : PATIENCE_MS;
    const isDone = async (): Promise<boolean> => {
      for (const { log } of this.#nodeReds) log.read();
      const open = this.#feeder.findOpen().filter(({ fate }) => fate === "accepted").length;
      const events = await this.service.run<number>("count pending events");
      const left = [open, this.#countWaits(), this.#countUngathered(), events];
      const state = [...left, this.#seen.results.length].join();
      if (state !== last) since = performance.now();
      last = state;
      return left.every((count) => count === 0) || performance.now() - since > patience;
    };
    await waitFor("everything to end", isDone, 300_000);
  }

  #countWaits(): number {
    const ended = new Set(this.#seen.waits.map(({ mark }) => mark));
    const isWaiting = (mark: string): boolean => this.#feeder.messages.get(mark)?.sender === "wait";
    const sent = this.#seen.results.filter(({ mark, outcome }) => outcome === "sent" && isWaiting(mark));
    return sent.filter(({ mark }) => !ended.has(mark)).length;
  }

  #countUngathered(): number {
    const listed = new Set(this.#seen.digests.flatMap(({ ids }) => ids));
    return [...this.#feeder.gathered].filter(([id, { isAccepted }]) => isAccepted && !listed.has(id)).length;
  }

  /** Stops and starts everything: nothing is emitted again then, and a new message passes. */
  async #restart(): Promise<void> {
    const restart = async (nodeRed: NodeRedProcess): Promise<void> => {
      await nodeRed.end("stop");
      await nodeRed.launch();
      await nodeRed.untilStarted();
    };
    if (this.options.storage !== "memory") {
      await Promise.all(this.#nodeReds.map(restart));
      await Promise.all(this.#nodeReds.map((nodeRed) => this.#feeder.probe(nodeRed)));
      await this.#drain();
    }
    await Promise.all(this.#nodeReds.map((nodeRed) => nodeRed.end("stop")));
  }

  async #observe(): Promise<Observations> {
    const { made, ...requests } = await this.service.run<NetworkReport>("report");
    const { results, waits, events, digests, errors } = this.#seen;
    const { storage } = this.options;
    const output = this.#nodeReds.map((nodeRed) => nodeRed.output).join("");
    return {
      ...{ storage, ...requests, results, waits, events, disturbances: this.#disturbances },
      ...{ messages: this.#feeder.messages, gathered: this.#feeder.gathered },
      history: await this.#reader.readHistory(),
      processes: new Map(this.#nodeReds.flatMap(({ pids, index }) => pids.map((pid) => [pid, index]))),
      made: made.map(toMade),
      digests: digests.filter(({ over }) => !over),
      logged: storage === "memory" ? countLogged(output) : 0,
      breaches: [...errors, ...output.split("\n").filter((line) => FORBIDDEN.test(line))],
    };
  }
}

const FORBIDDEN = /Uncaught Exception|UnhandledPromise|TypeError|ReferenceError|\b417\d{8}/;
const LOGGED = /\] (?:People|Messages) [^:\n]*: ([\d,]+)/g;
const countLogged = (output: string): number =>
  [...output.matchAll(LOGGED)].reduce((sum, [, count = ""]) => sum + Number(count.replaceAll(",", "")), 0);

function toMade(payload: unknown): MadeEvent {
  const key = JSON.stringify(payload);
  const [number = null] = /417\d{8}/.exec(key) ?? [];
  const [, status = null] = /"\w*[sS]tatus":"(\w+)"/.exec(key) ?? [];
  return { key, number, status: status?.toLowerCase() ?? null };
}
