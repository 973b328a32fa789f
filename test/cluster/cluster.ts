import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Flows } from "../support/node-red/admin-client";
import type { NodeRedVersion } from "../support/node-red/node-red-versions";
import { sendFlow, WEBHOOK_PATHS } from "../support/crash/send-flow";
import { SLOW_SERVER } from "../support/crash/commit-time";
import { ServiceProcess } from "../support/crash/service-process";
import { type PostgresqlServer, startPostgresql } from "../support/store/postgresql-server";
import { ClusterDatabase } from "./cluster-database";
import { ClusterNode, STORE_VARIABLE } from "./cluster-node";
import { Front } from "./front";
import { waitFor } from "../support/wait-for";
import { WebhookBalancer } from "./webhook-balancer";

const SCHEMA = "messaging_cluster";
/** KiB. */
const SNAPSHOT_LIMIT = 4_096;
const SECRET = "a-secret-only-for-tests";
/** The service delivers an event again soon, so that a run does not wait for it at its end. */
const RETRIES = ["--first-retry", "500", "--longest-retry", "4000"];
const ENDS = ["SIGTERM", "SIGHUP"] as const;

/** Node-REDs with one account and one database, the service, and what stands between them. */
export class Cluster {
  readonly nodes: ClusterNode[] = [];
  readonly database: ClusterDatabase;
  #balancer: WebhookBalancer | null = null;
  readonly #onExit = (): void => {
    for (const { nodeRed } of this.nodes) {
      nodeRed.thaw();
      void nodeRed.end();
    }
    // Its signals are sent before it waits for anything.
    void this.server.remove().catch(() => {});
  };
  /** Without it such a signal ends the process at once, and a stopped Node-RED stays. */
  readonly #onSignal = (): void => process.exit(1);

  private constructor(
    readonly version: NodeRedVersion,
    readonly server: PostgresqlServer,
    readonly service: ServiceProcess,
    readonly front: Front,
  ) {
    this.database = new ClusterDatabase(server.url, SCHEMA);
    process.once("exit", this.#onExit);
    for (const signal of ENDS) process.once(signal, this.#onSignal);
  }

  /**
   * Starts everything.
   * @param count Node-REDs
   * @returns null where PostgreSQL cannot be had here, which is said in the output
   */
  static async start(
    version: NodeRedVersion,
    count: number,
    requestsPerSecond: number,
  ): Promise<Cluster | null> {
    const server = await startPostgresql(SLOW_SERVER);
    if (server === null) return null;
    const service = await ServiceProcess.start(RETRIES);
    const front = await Front.start(service.url);
    const cluster = new Cluster(version, server, service, front);
    try {
      await cluster.#startNodes(count, requestsPerSecond);
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** The same flows for every Node-RED. @param requestsPerSecond 0 for no limit */
  flows(requestsPerSecond: number): Flows {
    const access = { url: this.front.url, credentials: this.service.credentials };
    return sendFlow(access, {
      keepMessages: "postgresql",
      // Also a list of 100,000 comes back with the properties of its message, by which its results are known.
      account: { storeSchema: SCHEMA, snapshotLimit: SNAPSHOT_LIMIT },
      secrets: { storeUrl: `\${${STORE_VARIABLE}}` },
      requestsPerSecond,
      webhookSecret: SECRET,
    });
  }

  /** Keys of events that were given to another Node-RED because the first one did not answer. */
  get passedOn(): ReadonlySet<string> {
    return this.#balancer?.passedOn ?? new Set();
  }

  /** The end of what each Node-RED has printed. */
  logs(): string {
    return this.nodes.map(({ name, nodeRed }) => `--- ${name}\n${nodeRed.logs().slice(-3_000)}`).join("\n");
  }

  /** Keeps everything that the Node-REDs have printed, and that their flows have written, in a folder. */
  keepLogs(folder: string): void {
    mkdirSync(folder, { recursive: true });
    for (const { name, nodeRed } of this.nodes) {
      writeFileSync(join(folder, `${name}.log`), nodeRed.allLogs());
      const { file } = nodeRed.log;
      if (existsSync(file)) copyFileSync(file, join(folder, `${name}.flow.log`));
    }
  }

  async #startNodes(count: number, requestsPerSecond: number): Promise<void> {
    const flows = this.flows(requestsPerSecond);
    // At once, as after a power failure: they find an empty database together.
    const starting = Array.from({ length: count }, (_none, at) =>
      ClusterNode.start(at, this.version, this.server.url, flows),
    );
    const started = await Promise.allSettled(starting);
    for (const each of started) if (each.status === "fulfilled") this.nodes.push(each.value);
    for (const each of started) if (each.status === "rejected") throw each.reason;
    await waitFor(
      "every Node-RED to be in the database",
      async () => (await this.database.instances()).length >= count,
      120_000,
    );
    this.#balancer = await WebhookBalancer.start(this.nodes.map(({ nodeRed }) => nodeRed.url));
    for (const kind of ["status", "inbound"] as const) {
      const url = `${this.#balancer.url}${WEBHOOK_PATHS[kind]}?secret=${SECRET}`;
      await this.service.registerWebhook(kind, url);
    }
  }

  /** Ends every process, in whatever state it is. */
  async stop(): Promise<void> {
    process.off("exit", this.#onExit);
    for (const signal of ENDS) process.off(signal, this.#onSignal);
    await Promise.allSettled(this.nodes.map((node) => node.end()));
    await Promise.allSettled([this.#balancer?.close(), this.front.stop(), this.service.stop()]);
    await this.server.remove();
  }
}
