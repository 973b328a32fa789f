import { join } from "node:path";
import { freePort } from "../http/free-port";
import type { Flows } from "../node-red/admin-client";
import { launchNodeRed, type NodeRed, startNodeRed } from "../node-red/node-red";
import type { NodeRedVersion } from "../node-red/node-red-versions";
import { userDirWithPackage } from "../node-red/packed-package";
import { waitFor } from "../wait-for";
import { SLOW_FILE } from "./commit-time";
import { LOG_VARIABLE } from "./send-flow";
import { FlowLog } from "./flow-log";
import { NUMBER } from "./traffic";

/** What must never stand in the log of Node-RED. */
const CRASHES = /Uncaught Exception|UnhandledPromise|TypeError|ReferenceError/;

export interface KilledNodeRedOptions {
  readonly version: NodeRedVersion;
  /** Environment of each process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A real Node-RED that is killed and started again in the same user directory, on the same port. */
export class KilledNodeRed {
  readonly log: FlowLog;
  /** What stood in the log of a process and must not. */
  readonly breaches: string[] = [];
  /** ms from the launch until the flows ran, of the last process that got so far. */
  startTime = 3_000;
  #running: NodeRed | null = null;
  /** What former processes have printed. */
  #past = "";

  private constructor(
    private readonly given: KilledNodeRedOptions,
    private readonly userDir: string,
    private readonly port: number,
  ) {
    this.log = new FlowLog(join(userDir, "flow.log"));
  }

  /** Starts the first process and deploys. */
  static async start(options: KilledNodeRedOptions, flows: Flows): Promise<KilledNodeRed> {
    const killed = new KilledNodeRed(options, await userDirWithPackage(), await freePort());
    killed.#running = await startNodeRed(killed.#options);
    await killed.#running.deploy(flows);
    return killed;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get #options() {
    const { given, userDir, port, log } = this;
    return {
      version: given.version,
      userDir,
      port,
      env: { ...SLOW_FILE, ...given.env, [LOG_VARIABLE]: log.file },
    };
  }

  get storeFolder(): string {
    return join(this.userDir, "messaging");
  }

  async launch(): Promise<void> {
    this.#past = this.allLogs();
    this.#running = await launchNodeRed(this.#options);
  }

  async untilStarted(): Promise<void> {
    const began = performance.now();
    await this.#running?.untilStarted();
    this.startTime = performance.now() - began;
  }

  /** Kills the process at once. */
  async kill(): Promise<void> {
    if (this.#running?.isRunning !== true) this.breaches.push("Node-RED had ended by itself");
    await this.#running?.kill();
    this.#examineLogs();
  }

  /** Makes sure that no process is left. */
  async end(): Promise<void> {
    await this.#running?.kill();
  }

  /** Ends it as a service manager would. */
  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#examineLogs();
  }

  /** Everything that the process which runs now, or ran last, has printed. */
  logs(): string {
    return this.#running?.logs() ?? "";
  }

  /** Everything that its processes have printed. */
  allLogs(): string {
    return `${this.#past}${this.logs()}`;
  }

  /** Of the process that runs now, or ran last. */
  get pid(): number {
    return this.#running?.pid ?? 0;
  }

  /** Stops the process as it is, until `thaw`. */
  freeze(): void {
    this.#running?.signal("SIGSTOP");
  }

  thaw(): void {
    this.#running?.signal("SIGCONT");
  }

  /** Deploys everything while it runs, as from the editor, and waits until the flows were started again. */
  async deploy(flows: Flows): Promise<void> {
    const starts = this.#flowStarts;
    await this.#running?.request(
      "POST",
      "/flows",
      { flows },
      { "node-red-api-version": "v2", "node-red-deployment-type": "full" },
    );
    await waitFor("the flows to start", () => this.#flowStarts > starts, 60_000);
  }

  get #flowStarts(): number {
    return this.logs().split("Started flows").length;
  }

  #examineLogs(): void {
    for (const line of this.logs().split("\n")) {
      if (CRASHES.test(line)) this.breaches.push(`in the log: ${line}`);
      if (line.match(NUMBER)) this.breaches.push(`a number in the log: ${line.slice(0, 200)}`);
    }
  }
}
