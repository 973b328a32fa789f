import type { Simulator } from "../../simulator/index";
import type { FaultProxy } from "./fault-proxy";
import type { Load } from "./load";

/** What one fault came to. */
export interface Row {
  readonly fault: string;
  readonly messages: number;
  readonly accepted: number;
  /** Messages of which more than one request was made, or tried to be made. */
  readonly retried: number;
  readonly unknown: number;
  /** Surely not sent, and said so. */
  readonly notSent: number;
  readonly doubleSends: number;
  readonly lost: number;
}

/** Counts each message in the gateway's own log, which forgets its oldest entries, so it is read as it grows. */
export class GatewayLog {
  readonly taken = new Map<string, number>();
  #read = 0;

  constructor(private readonly simulator: Simulator) {
    this.#read = simulator.main.messageCount;
  }

  read(): void {
    const { messages, messageCount } = this.simulator.main;
    const fresh = messageCount - this.#read;
    if (fresh > messages.length) {
      throw new Error(`the gateway's log has forgotten ${fresh - messages.length} messages unread`);
    }
    for (const { clientMessageId } of messages.slice(messages.length - fresh)) {
      const id = String(clientMessageId);
      this.taken.set(id, (this.taken.get(id) ?? 0) + 1);
    }
    this.#read = messageCount;
  }

  has(id: string): boolean {
    this.read();
    return this.taken.has(id);
  }
}

/**
 * Holds what the flow saw of some messages against what proxy and gateway saw.
 * @returns the row of the table, and every breach in words
 */
export function settle(
  fault: string,
  ids: readonly string[],
  load: Load,
  proxy: FaultProxy,
  log: GatewayLog,
): { row: Row; breaches: string[] } {
  log.read();
  const breaches: string[] = [...load.caught.map((error) => `an error reached a Catch node: ${error}`)];
  const count = { accepted: 0, retried: 0, unknown: 0, notSent: 0, doubleSends: 0, lost: 0 };
  const hidden: string[] = [];
  for (const id of ids) {
    const results = load.outcomes.get(id) ?? [];
    const [result] = results;
    const taken = log.taken.get(id) ?? 0;
    const trace = proxy.traces.get(id);
    const breach = (what: string): void => {
      breaches.push(
        `${id}: ${what} (${results.map(({ outcome, statusName, attempts }) => `${outcome} ${statusName} after ${attempts}`).join(" + ")}; ` +
          `in the log ${taken}, at the proxy ${JSON.stringify(trace ?? null)})`,
      );
    };
    if (taken > 1) {
      count.doubleSends++;
      breach("sent more than once");
    }
    if (result === undefined || results.length !== 1) {
      breach("has not one outcome");
    }
    if (load.done.get(id) !== 1) {
      breach(`has ${load.done.get(id) ?? 0} times done`);
    }
    if (result === undefined) {
      count.lost++;
      continue;
    }
    count.retried += result.attempts > 1 ? 1 : 0;
    const unsure = (trace?.unsure ?? 0) > 0;
    if (result.outcome === "sent" || result.outcome === "queued") {
      count.accepted++;
      if (taken === 0) {
        count.lost++;
        breach("called accepted, but the gateway never took it");
      }
      if (unsure) {
        breach("called accepted, although an earlier request got no answer");
      }
    } else if (result.outcome === "unknown") {
      count.unknown++;
      // A request on a connection that was closed before the proxy knew of it leaves no trace.
      const unseen = trace === undefined && proxy.stops > 0;
      if (!unsure && !unseen) {
        const { statusName, attempts } = result;
        hidden.push(`${id} (${statusName} after ${attempts}, at the proxy ${JSON.stringify(trace ?? null)})`);
      }
    } else {
      count.notSent++;
      if (taken > 0 || unsure) {
        breach("called not sent, which nobody can say");
      }
    }
  }
  // A connection that is closed while the client writes hides from us which message it was.
  if (hidden.length > proxy.closedInRace) {
    breaches.push(
      `${hidden.length} messages called unknown were answered, and ${proxy.closedInRace} connections closed in a race explain not all: ${hidden.slice(0, 5).join(", ")}`,
    );
  }
  return { row: { fault, messages: ids.length, ...count }, breaches };
}

/** The rows as a table for the eye. */
export function table(rows: readonly Row[]): string {
  const heads = ["fault", "messages", "accepted", "retried", "unknown", "not sent", "double sends", "lost"];
  const lines = [heads, ...rows.map((row) => Object.values(row).map(String))];
  const widths = heads.map((_head, at) => Math.max(...lines.map((line) => line[at]!.length)));
  return lines
    .map((line) =>
      line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join("  "),
    )
    .join("\n");
}
