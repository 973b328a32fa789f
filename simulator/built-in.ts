import type { CallbackRule } from "./webhooks/callback-rule";
import { randomCredentials } from "./sign-in/credentials";
import { type Simulator, type SimulatorCredentials, type SimulatorOptions, startSimulator } from "./index";
import type { SimulatedAccount } from "./account/simulated-account";

const LINGER_MS = 30_000;
/** It runs beside flows that need memory themselves: approximate bytes of all that it keeps. */
const RECORD_BYTES = 128 * 1_048_576;

/** One user's hold on the built-in simulator. */
export interface BuiltInAccount {
  /** Service address. */
  readonly url: string;
  /** Address of the token service; the endpoint is `${authUrl}/oauth/token`. */
  readonly authUrl: string;
  readonly credentials: SimulatorCredentials;
  readonly account: SimulatedAccount;
  /** Lets go. May be called again. */
  release(): void;
}

/**
 * One simulator for many users: started for the first, closed a while after the last, and never a reason for the
 * process to stay alive. An account keeps its state as long as the server lives, whoever comes and goes.
 * Its credentials are random and known only to those who take hold of it, and it calls no address that a send names
 * unless an account says which.
 */
export class BuiltInSimulator {
  readonly #options: () => SimulatorOptions;
  readonly #lingerMs: number;
  #users = 0;
  #running: Promise<Simulator> | null = null;
  #closing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  /**
   * @param options read at each start
   * @param lingerMs milliseconds between the last release and the end of the server
   */
  constructor(options: () => SimulatorOptions, lingerMs: number = LINGER_MS) {
    this.#options = options;
    this.#lingerMs = lingerMs;
  }

  /** @param mayCallBack which addresses of single sends the account calls; none without it */
  async acquire(accountId: string, mayCallBack?: CallbackRule): Promise<BuiltInAccount> {
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
      if (mayCallBack) account.allowCallbacks(mayCallBack);
      const { url } = account;
      return { url, authUrl: url, credentials: simulator.credentials, account, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async #start(): Promise<Simulator> {
    try {
      // The one before may still hold the port.
      await this.#closing;
      const simulator = await startSimulator({
        recordBytes: RECORD_BYTES,
        credentials: randomCredentials(),
        mayCallBack: () => false,
        ...this.#options(),
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
    this.#timer = setTimeout(() => this.#stop(), this.#lingerMs).unref();
  }

  #stop(): void {
    const running = this.#running;
    this.#running = null;
    this.#timer = null;
    if (running) this.#closing = running.then((simulator) => simulator.close());
  }
}

/** Port and control token, where the environment fixes them. Throws a TypeError that names a wrong variable. */
export function optionsFromEnvironment(): SimulatorOptions {
  const { MESSAGING_SIMULATOR_PORT: port, MESSAGING_SIMULATOR_TOKEN: controlToken } = process.env;
  if (port && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new TypeError("MESSAGING_SIMULATOR_PORT must be a port number");
  }
  return { ...(port ? { port: Number(port) } : {}), ...(controlToken ? { controlToken } : {}) };
}

const shared = new BuiltInSimulator(optionsFromEnvironment);

/**
 * Takes hold of the one built-in simulator of this process, on behalf of one account. Starts it when needed;
 * rejects when it can't be started.
 * @param mayCallBack which addresses of single sends the account calls from now on; none without it
 */
export function acquireBuiltIn(accountId: string, mayCallBack?: CallbackRule): Promise<BuiltInAccount> {
  return shared.acquire(accountId, mayCallBack);
}
