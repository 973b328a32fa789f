import type { PostgresqlServer } from "../../test/support/store/postgresql-server";
import type { BenchOptions } from "./options";
import type { LoadSample, Sample } from "./processes/send-process";
import { timeOf } from "./processor-time";
import type { Sending } from "./sending";
import { inTurns } from "./report/statistics";
import type { Worker } from "./worker";

/** µs of processor time so far of processes that work for a Node-RED. */
export type Others = Readonly<Record<"server" | "service", number>>;

/** Until the engine has compiled what matters; a slow client gets no further in its seconds. */
const WARM_UP = { count: 20_000, seconds: 10 };

/** Messages a second. */
export const rate = ({ messages, seconds }: Sample): number => messages / seconds;

/** µs of processor time a message, of all threads. */
export const cpu = ({ messages, cpu: used }: Sample): number => used / messages;

/** ms that a message takes longer, where one is under way at a time. */
export const addedLatency = (one: Sample, other: Sample): number => 1000 / rate(one) - 1000 / rate(other);

/** @param sample works for a moment. @returns how much it has done */
export async function warmUp(sample: () => Promise<number>): Promise<void> {
  const until = performance.now() + WARM_UP.seconds * 1000;
  for (let done = 0; done < WARM_UP.count && performance.now() < until; ) {
    done += await sample();
  }
}

/** @throws Error where the service has not accepted a message */
export function assertAccepted({ failed, messages }: Sample): void {
  if (failed > 0) {
    throw new Error(`${failed} of ${messages} messages were not accepted`);
  }
}

/** A load, with what others needed meanwhile; nothing where there is no server. */
export type WithOthers = LoadSample & Others;

/** What PostgreSQL and the service have needed. */
const timesOf = async (sending: Sending, server: PostgresqlServer): Promise<Others> => ({
  server: timeOf(server.processes()),
  service: await sending.gateway.ask<number>("cpu"),
});

/** @returns the samples, and what PostgreSQL and the service needed meanwhile */
export async function withOthers<Result>(
  sending: Sending,
  server: PostgresqlServer,
  work: () => Promise<Result>,
): Promise<Result & Others> {
  const before = await timesOf(sending, server);
  const result = await work();
  const after = await timesOf(sending, server);
  return { ...result, server: after.server - before.server, service: after.service - before.service };
}

/** @throws Error where the service has not accepted a message */
export async function loadSample(worker: Worker, inFlight: number, seconds: number): Promise<LoadSample> {
  const sample = await worker.ask<LoadSample>("load", { inFlight, seconds });
  assertAccepted(sample);
  return sample;
}

/**
 * Lets processes send in turns.
 * @returns gives the samples of one
 * @throws Error where the service has not accepted a message
 */
export const load = <Name extends string>(
  workers: ReadonlyMap<Name, Worker>,
  inFlight: number,
  { rounds, seconds }: BenchOptions,
): Promise<(name: Name) => readonly LoadSample[]> =>
  inTurns([...workers.keys()], rounds, (name) => loadSample(workers.get(name) as Worker, inFlight, seconds));
