import { cpSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DeployType, Flows } from "../support/node-red/admin-client";
import { launchNodeRed, type NodeRed } from "../support/node-red/node-red";
import { linkInto, temporaryFolder } from "../support/node-red/packed-package";
import { waitFor } from "../support/wait-for";
import { FlowLog, type Sightings } from "./flow-log";
import { LOG_VARIABLE, STORE_VARIABLE } from "./flows";

/** ms of the lease and of a heartbeat in the package that is disturbed: a freeze need not take a minute. */
export const LEASE = 12_000;
const BEAT = 1_000;
const TIMES = "HEARTBEAT_INTERVAL=5e3;LEASE=6e4;";

async function installInto(userDir: string): Promise<void> {
  await linkInto(userDir);
  const file = join(
    userDir,
    "node_modules",
    "@messaging-service",
    "node-red-messaging",
    "dist",
    "runtime.js",
  );
  const text = readFileSync(file, "utf8");
  if (text.split(TIMES).length !== 2) throw new Error("the build has no lease to shorten");
  writeFileSync(file, text.replace(TIMES, `HEARTBEAT_INTERVAL=${BEAT};LEASE=${LEASE};`));
}

type NodeRedOptions = Readonly<{ index: number; port: number; storeUrl: string; seen: Sightings }>;
type Switches = { readonly commitMs: number; readonly isFull: boolean; readonly clockMs: number };

/** A real Node-RED that is disturbed: it ends and starts in one user directory, on one port. */
export class NodeRedProcess {
  readonly log: FlowLog;
  readonly index: number;
  readonly url: string;
  readonly storeFolder: string;
  readonly pids: number[] = [];
  accepts = false;
  #running: NodeRed | null = null;
  #past = "";
  #switches: Switches = { commitMs: 0, isFull: false, clockMs: 0 };

  private constructor(
    private readonly given: NodeRedOptions,
    private readonly userDir: string,
  ) {
    this.index = given.index;
    this.url = `http://127.0.0.1:${given.port}`;
    this.storeFolder = join(userDir, "messaging");
    this.log = new FlowLog(join(userDir, "flow.log"), given.index, given.seen);
    this.switch({});
  }

  static async start(options: NodeRedOptions, flows: Flows): Promise<NodeRedProcess> {
    const userDir = await temporaryFolder("chaos");
    await installInto(userDir);
    cpSync(join(__dirname, "nodes"), join(userDir, "nodes"), { recursive: true });
    const started = new NodeRedProcess(options, userDir);
    await started.launch();
    await started.untilStarted();
    await started.deploy(flows, "full");
    return started;
  }

  get output(): string {
    return `${this.#past}${this.#running?.logs() ?? ""}`;
  }

  async launch(): Promise<void> {
    this.#past = this.output;
    this.#running = await launchNodeRed({
      version: process.env.TEST_NODE_RED === "5" ? 5 : 4,
      userDir: this.userDir,
      port: this.given.port,
      settings: { runtimeState: { enabled: true, ui: true } },
      env: {
        NODE_OPTIONS: `--require ${join(__dirname, "switches.cjs")}`,
        MESSAGING_TIMEOUT_FACTOR: "4",
        CHAOS_SWITCHES: this.#switchFile,
        [LOG_VARIABLE]: this.log.file,
        [STORE_VARIABLE]: this.given.storeUrl,
      },
    });
    this.pids.push(this.#running.pid);
  }

  async untilStarted(): Promise<void> {
    await this.#running?.untilStarted();
    this.accepts = true;
  }

  /** Ends the process at once, or as a service manager does. */
  async end(how: "kill" | "stop"): Promise<void> {
    if (how === "kill") this.signal("SIGCONT");
    await this.#running?.[how]();
    this.accepts = false;
    this.log.startLife();
  }

  signal(name: "SIGSTOP" | "SIGCONT"): void {
    this.#running?.signal(name);
  }

  switch(change: Partial<Switches>): void {
    this.#switches = { ...this.#switches, ...change };
    writeFileSync(`${this.#switchFile}.new`, JSON.stringify(this.#switches));
    renameSync(`${this.#switchFile}.new`, this.#switchFile);
  }

  async deploy(flows: Flows, type: DeployType): Promise<void> {
    const starts = this.#countStarts();
    const headers = { "node-red-api-version": "v2", "node-red-deployment-type": type };
    await this.#running?.request("POST", "/flows", { flows }, headers);
    await waitFor("the flows to start", () => this.#countStarts() > starts, 60_000);
  }

  async setFlowState(state: "start" | "stop"): Promise<void> {
    await this.#running?.request("POST", "/flows/state", { state });
  }

  get #switchFile(): string {
    return join(this.userDir, "switches.json");
  }

  #countStarts(): number {
    return (this.#running?.logs() ?? "").split(/Started (?:modified )?(?:flows|nodes)/).length;
  }
}
