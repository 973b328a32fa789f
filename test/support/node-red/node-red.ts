import { type ChildProcess, spawn } from "node:child_process";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AdminClient, type Flows } from "./admin-client";
import { freePort } from "../http/free-port";
import { type NodeRedVersion, nodeRedProgram } from "./node-red-versions";
import { waitFor } from "../wait-for";

export interface NodeRedOptions {
  readonly version: NodeRedVersion;
  readonly userDir: string;
  /** Any free one without it. */
  readonly port?: number;
  /** Set besides this process's own variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Flows to start with. */
  readonly flows?: Flows;
  /** Path of the admin app where the settings move it, as in `/admin`. */
  readonly adminRoot?: string;
  /** Further settings, merged over those of the tests. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether the editor's settings of a user outlive its page; true without it. */
  readonly keepsUserSettings?: boolean;
}

/** A running Node-RED with its admin API. */
export class NodeRed extends AdminClient {
  readonly #log: string[] = [];
  #process!: ChildProcess;
  #ended!: Promise<void>;

  /**
   * @param spawnProcess starts the process, each time in the same user directory and on the same port
   * @param folder its user directory, in which it also runs
   */
  constructor(
    url: string,
    private readonly spawnProcess: () => ChildProcess,
    readonly folder: string,
  ) {
    super(url);
    this.#launch();
  }

  #launch(): void {
    const child = this.spawnProcess();
    this.#process = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => this.#log.push(text));
    }
    this.#ended = new Promise((resolve) => child.once("close", () => resolve()));
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Everything it printed so far, or since the log was cleared. */
  logs(): string {
    return this.#log.join("");
  }

  clearLogs(): void {
    this.#log.length = 0;
  }

  /** Waits until it printed something that matches, and gives the match. */
  waitForLog(pattern: RegExp, deadline?: number): Promise<RegExpExecArray> {
    return waitFor(
      () => `${pattern} in the log:\n${this.logs()}`,
      () => {
        const match = pattern.exec(this.logs());
        if (!match && !this.isRunning) {
          const { exitCode, signalCode } = this.#process;
          throw new Error(
            `Node-RED ended (${exitCode ?? signalCode}) before it logged ${pattern}:\n${this.logs()}`,
          );
        }
        return match;
      },
      deadline,
    );
  }

  /** Waits until its flows run and its server listens. Rejects when it ends before that. */
  async untilStarted(): Promise<void> {
    await this.waitForLog(/Started flows|Flows sind gestartet|フローを開始しました/);
    // Flows may start a moment before the server listens.
    await waitFor("the server to listen", () =>
      fetch(this.url).then(
        () => true,
        () => {
          if (!this.isRunning) throw new Error("Node-RED ended before its server listened");
          return null;
        },
      ),
    );
  }

  /** For signals that do not end it: SIGSTOP and SIGCONT. */
  signal(name: "SIGSTOP" | "SIGCONT"): void {
    this.#process.kill(name);
  }

  /** Ends it as a crash would (SIGKILL), and waits until it is gone. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#ended;
  }

  /** Ends it as a service manager would, by force if that takes too long. May be called again. */
  async stop(): Promise<void> {
    const force = setTimeout(() => this.#process.kill("SIGKILL"), 20_000);
    this.#process.kill("SIGTERM");
    await this.#ended;
    clearTimeout(force);
  }

  /** Ends it as a service manager or as a crash would, starts it again with what is deployed, and waits until the flows run. The recording begins anew. */
  async restart(end: "stop" | "kill"): Promise<void> {
    await this[end]();
    const printed = this.#log.splice(0);
    this.#launch();
    await this.untilStarted();
    this.#log.unshift(...printed);
  }
}

/**
 * Starts a real Node-RED in a process of its own and waits until the flows run. It ends when `stop` is called, and
 * in any case with this process.
 * @throws Error when that version can't be had here
 */
export async function startNodeRed(options: NodeRedOptions): Promise<NodeRed> {
  const running = await launchNodeRed(options);
  try {
    await running.untilStarted();
  } catch (error) {
    await running.stop();
    throw error;
  }
  return running;
}

/**
 * Starts the process, as `startNodeRed` does, and does not wait for its flows.
 * @throws Error when that version can't be had here
 */
export async function launchNodeRed(options: NodeRedOptions): Promise<NodeRed> {
  const { version, userDir, env = {}, flows } = options;
  const program = await nodeRedProgram(version);
  if (typeof program === "string") throw new Error(program);
  const port = options.port ?? (await freePort());
  await cp(join(__dirname, "recorder"), join(userDir, "nodes"), { recursive: true });
  await writeFile(join(userDir, "settings.js"), settingsFile(port, options));
  if (flows) await writeFile(join(userDir, "flows.json"), JSON.stringify(flows));
  const spawnProcess = (): ChildProcess =>
    spawn(program.node, [program.script, "--userDir", userDir], {
      cwd: userDir,
      // A pipe that nobody writes to: its end tells Node-RED that this process is gone.
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...cleanEnvironment(), ...env },
    });
  return new NodeRed(`http://127.0.0.1:${port}${options.adminRoot ?? ""}`, spawnProcess, userDir);
}

/** Node-RED cannot remove a setting of a user, so that none may get there. */
const DROP_USER_SETTINGS = `(request, response, next) =>
  request.method === "POST" && request.path === "/settings/user" ? response.sendStatus(204) : next()`;

/** No tour greets whoever opens the editor, and no question about projects. */
export const EDITOR_THEME = { tours: false, projects: { enabled: false } };

function settingsFile(port: number, { settings: more, keepsUserSettings = true }: NodeRedOptions): string {
  const settings = {
    uiPort: port,
    uiHost: "127.0.0.1",
    flowFile: "flows.json",
    credentialSecret: "only for tests and demonstrations",
    editorTheme: EDITOR_THEME,
    telemetry: { enabled: false, updateNotification: false },
    logging: { console: { level: "info", metrics: false, audit: false } },
    externalModules: { autoInstall: false, palette: { allowInstall: false, allowUpload: false } },
    ...more,
  };
  return [
    'process.stdin.on("end", () => process.exit()).resume();',
    `module.exports = ${JSON.stringify(settings, null, 2)};`,
    ...(keepsUserSettings ? [] : [`module.exports.httpAdminMiddleware = ${DROP_USER_SETTINGS};`]),
    "",
  ].join("\n");
}

/** Without what would bend the outcome: a proxy of this machine, or how this process itself is measured. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const unwanted =
    /^(https?_proxy|all_proxy|no_proxy|node_options|node_v8_coverage|force_color|test_totals)$|^npm_/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !unwanted.test(name)));
}
