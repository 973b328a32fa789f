import type { CallbackRule } from "./webhooks/webhook-settings";
import { randomCredentials } from "./sign-in/credentials";
import { type Simulator, type SimulatorOptions, startSimulator } from "./index";

const LINGER_MS = 30_000;
/** Entries of each log: the simulator shares memory with the flows. */
const LOG_ENTRIES = 5_000;

/** One simulator with several users: it starts with the first, and closes some time after the last one has left. */
export class BuiltInSimulator {
  #users = 0;
  #running: Promise<Simulator> | null = null;
  #closing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly options: () => SimulatorOptions,
    private readonly lingerMs: number = LINGER_MS,
  ) {}

  /**
   * @param mayCallBack decides which callback addresses of single sends are called; none by default
   * @param headers of these calls
   */
  async acquire(accountId: string, mayCallBack?: CallbackRule, headers?: Readonly<Record<string, string>>) {
    this.#users += 1;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      this.#leave();
    };
    try {
      this.#running ??= this.#start();
      const simulator = await this.#running;
      const account = simulator.account(accountId);
      if (mayCallBack) account.allowCallbacks(mayCallBack, headers);
      const { url } = account;
      return { url, authUrl: url, credentials: simulator.credentials, account, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async #start(): Promise<Simulator> {
    try {
      // The previous server may still hold the port.
      await this.#closing;
      const simulator = await startSimulator({
        logEntries: LOG_ENTRIES,
        credentials: randomCredentials(),
        mayCallBack: () => false,
        ...this.options(),
      });
      simulator.unref();
      return simulator;
    } catch (error) {
      this.#running = null;
      throw error;
    }
  }

  #leave(): void {
    this.#users -= 1;
    if (this.#users > 0 || !this.#running) return;
    this.#timer = setTimeout(() => this.#stop(), this.lingerMs).unref();
  }

  #stop(): void {
    const running = this.#running;
    this.#running = null;
    this.#timer = null;
    if (running) this.#closing = running.then((simulator) => simulator.close());
  }
}

export type BuiltInAccount = Awaited<ReturnType<BuiltInSimulator["acquire"]>>;

export function optionsFromEnvironment(): SimulatorOptions {
  const { MESSAGING_SIMULATOR_PORT: port, MESSAGING_SIMULATOR_TOKEN: controlToken } = process.env;
  if (port && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new TypeError("MESSAGING_SIMULATOR_PORT must be a port number");
  }
  return { ...(port ? { port: Number(port) } : {}), ...(controlToken ? { controlToken } : {}) };
}

const shared = new BuiltInSimulator(optionsFromEnvironment);

export const acquireBuiltIn: BuiltInSimulator["acquire"] = (...given) => shared.acquire(...given);
