import type { Flows } from "../support/node-red/admin-client";
import type { NodeRedVersion } from "../support/node-red/node-red-versions";
import { KilledNodeRed } from "../support/crash/killed-node-red";
import { StoreProxy } from "./store-proxy";

/** Environment variable with the address of the database, which differs for each Node-RED while their flows are the same. */
export const STORE_VARIABLE = "CLUSTER_STORE";

/** One life of the process of a Node-RED. Times are epoch ms. */
export interface ProcessLife {
  readonly pid: number;
  readonly from: number;
  /** When it was killed; Infinity while it lives, and for one that ended in order. */
  killedAt: number;
}

/** One Node-RED of the cluster, and its way to PostgreSQL. */
export class ClusterNode {
  readonly lives: ProcessLife[] = [];
  /** True while something is done to it, so that nothing else is. */
  busy = false;
  /** Whether it takes messages: not while it is away, or about to deploy. */
  takes = true;
  #troubles = 0;

  private constructor(
    /** Position in the cluster. */
    readonly at: number,
    readonly nodeRed: KilledNodeRed,
    readonly proxy: StoreProxy,
  ) {
    this.#noteLife(Date.now() - 60_000);
  }

  /** @param storeUrl address of PostgreSQL itself */
  static async start(
    at: number,
    version: NodeRedVersion,
    storeUrl: string,
    flows: Flows,
  ): Promise<ClusterNode> {
    const url = new URL(storeUrl);
    const proxy = await StoreProxy.start(Number(url.port));
    try {
      url.port = `${proxy.port}`;
      const nodeRed = await KilledNodeRed.start({ version, env: { [STORE_VARIABLE]: url.href } }, flows);
      return new ClusterNode(at, nodeRed, proxy);
    } catch (error) {
      await proxy.cut();
      throw error;
    }
  }

  get name(): string {
    return "ABCDEFGH"[this.at] ?? `${this.at}`;
  }

  /** True while its messages are likely to be refused or delayed. */
  get troubled(): boolean {
    return this.#troubles > 0;
  }

  beginTrouble(): void {
    this.#troubles++;
  }

  endTrouble(): void {
    this.#troubles--;
  }

  async launch(): Promise<void> {
    const began = Date.now();
    await this.nodeRed.launch();
    this.#noteLife(began);
  }

  /** Kills the process. @returns the life that ended */
  async kill(): Promise<ProcessLife> {
    await this.nodeRed.kill();
    const life = this.life;
    life.killedAt = Date.now();
    return life;
  }

  get life(): ProcessLife {
    const life = this.lives.at(-1);
    if (life === undefined) throw new Error("it never ran");
    return life;
  }

  #noteLife(from: number): void {
    this.lives.push({ pid: this.nodeRed.pid, from, killedAt: Number.POSITIVE_INFINITY });
  }

  /** Makes sure that nothing is left, whatever state it is in. */
  async end(): Promise<void> {
    this.nodeRed.thaw();
    await this.nodeRed.end();
    await this.proxy.cut();
  }
}
