import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type {
  RecordedRequest,
  SimulatedDelivery,
  SimulatedMessage,
  SimulatorCredentials,
} from "../../../simulator/index";
import { CREDENTIALS } from "../../../simulator/sign-in/credentials";
import { ROOT } from "../node-red/packed-package";
import { waitFor } from "../wait-for";
import { NUMBER, type PlannedMessage } from "./traffic";

const TOKEN = "control-token-of-the-crash-suite";

/** What a flow needs to reach the service. */
export interface ServiceAccess {
  readonly url: string;
  readonly credentials: SimulatorCredentials;
}

/** What the service did with a request, in the simulator's words; null for a plain answer. */
export type Treatment = string | null;

/** The simulator in a process of its own, which outlives every Node-RED, and all that ever arrived there. */
export class ServiceProcess implements ServiceAccess {
  readonly credentials = CREDENTIALS;
  /** Requests for each number, in the order of their arrival. */
  readonly arrivals = new Map<string, Treatment[]>();
  /** How often the service took a message for each number. */
  readonly accepted = new Map<string, number>();
  /** Requests without a number of the run, other than those for tokens. */
  readonly strange: string[] = [];
  readonly #announced = new Set<string>();
  #requests = 0;
  #messages = 0;
  #events = 0;
  readonly #child: ChildProcess;
  readonly #onExit = (): void => void this.#child.kill("SIGKILL");

  private constructor(
    child: ChildProcess,
    readonly url: string,
  ) {
    this.#child = child;
    process.once("exit", this.#onExit);
  }

  /** @param options further ones of the command line */
  static async start(options: readonly string[] = []): Promise<ServiceProcess> {
    const program = join(ROOT, "dist", "simulator", "cli.js");
    const child = spawn(process.execPath, [program, "--quiet", "--token", TOKEN, ...options], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const url = await waitFor("the simulator to listen", () => {
      if (child.exitCode !== null) throw new Error(`the simulator did not start: ${said}`);
      return /service address +(\S+)/.exec(said)?.[1];
    });
    return new ServiceProcess(child, url);
  }

  /** Tells the simulator what to do with a message, once however often it is handed in. */
  async announce({ id, fault }: PlannedMessage): Promise<void> {
    if (fault === null || this.#announced.has(id)) return;
    this.#announced.add(id);
    await this.#ask("POST", "faults", fault);
  }

  /** From now on events of this kind go to this address. */
  async registerWebhook(kind: "status" | "inbound", url: string): Promise<void> {
    await this.#ask("POST", "webhooks", { kind, url });
  }

  /** Somebody writes an SMS. */
  async receiveSms(sender: string, content: string): Promise<void> {
    await this.#ask("POST", "deliver", { event: "sms", sender, content });
  }

  /** Events of webhooks that were made since the last time. */
  async freshEvents(): Promise<readonly SimulatedDelivery[]> {
    const events = await this.#fresh<SimulatedDelivery>("deliveries", this.#events);
    this.#events += events.length;
    return events;
  }

  /** Events that are not acknowledged yet. */
  async pendingEvents(): Promise<number> {
    return (await this.#ask<{ pending: number }>("GET", "deliveries?limit=0")).pending;
  }

  /** Numbers that the service took a message for. */
  get people(): number {
    return this.accepted.size;
  }

  /** Reads what has arrived since the last time. @throws Error where the simulator's log has forgotten some of it */
  async read(): Promise<void> {
    const requests = await this.#fresh<RecordedRequest>("requests", this.#requests);
    this.#requests += requests.length;
    for (const { path, rawBody, operation, fault } of requests) {
      const numbers = new Set(`${path} ${rawBody}`.match(NUMBER));
      if (numbers.size === 0 && operation !== "token") this.strange.push(`${operation} ${path}`);
      for (const number of numbers) {
        const arrivals = this.arrivals.get(number) ?? [];
        arrivals.push(fault?.kind ?? null);
        this.arrivals.set(number, arrivals);
      }
    }
    const messages = await this.#fresh<SimulatedMessage>("messages", this.#messages);
    this.#messages += messages.length;
    for (const number of messages.flatMap(({ recipients }) => recipients)) {
      const digits = number.replace(/^\+/, "");
      this.accepted.set(digits, (this.accepted.get(digits) ?? 0) + 1);
    }
  }

  async stop(): Promise<void> {
    process.off("exit", this.#onExit);
    const ended = once(this.#child, "close");
    this.#child.kill("SIGTERM");
    await ended;
  }

  /** Entries of a log after the first `known` ones. */
  async #fresh<Entry>(log: "requests" | "messages" | "deliveries", known: number): Promise<readonly Entry[]> {
    const { total: now } = await this.#ask<{ total: number }>("GET", `${log}?limit=0`);
    if (now === known) return [];
    // More may arrive between the two questions.
    const page = await this.#ask<Record<string, Entry[]> & { total: number }>(
      "GET",
      `${log}?limit=${now - known + 5_000}`,
    );
    const entries = page[log] ?? [];
    const fresh = page.total - known;
    if (fresh > entries.length) throw new Error(`${fresh - entries.length} ${log} were forgotten unread`);
    return entries.slice(entries.length - fresh);
  }

  async #ask<Answer>(method: string, control: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${this.url}/_sim/${control}`, {
      method,
      // An idle connection may end in the moment in which it is used again.
      headers: { "x-simulator-token": TOKEN, "content-type": "application/json", connection: "close" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${control}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  }
}
