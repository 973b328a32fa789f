import type { BenchOptions } from "./options";
import type { LoadSample, Sample } from "./processes/send-process";
import { shuffled } from "./statistics";
import type { Worker } from "./worker";

/** A sample, with what other processes needed meanwhile in µs. */
export type WithOthers<Others extends string> = LoadSample & Readonly<Record<Others, number>>;

/** Messages a second. */
export const rate = ({ messages, seconds }: Sample): number => messages / seconds;

/** µs of processor time a message, of all threads. */
export const cpu = ({ messages, cpu: used }: Sample): number => used / messages;

/**
 * Lets processes send in turns.
 * @param others µs of processor time so far of those that work for them
 * @returns samples of each, in the order of the rounds
 * @throws Error where the service has not accepted a message
 */
export async function load<Name extends string, Others extends string = never>(
  workers: readonly (readonly [Name, Worker])[],
  inFlight: number,
  { rounds, seconds }: BenchOptions,
  others: () => Promise<Readonly<Record<Others, number>>> = async () => ({}) as Record<Others, number>,
): Promise<ReadonlyMap<Name, readonly WithOthers<Others>[]>> {
  const samples = new Map<Name, WithOthers<Others>[]>(workers.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, worker] of shuffled([...workers])) {
      const before = await others();
      const sample = await worker.ask<LoadSample>("load", { inFlight, seconds });
      const after = await others();
      samples.get(name)?.push({ ...sample, ...difference(after, before) });
      assertAccepted(sample);
    }
  }
  return samples;
}

/** @throws Error where the service has not accepted a message */
export function assertAccepted({ failed, messages }: Sample): void {
  if (failed > 0) {
    throw new Error(`${failed} of ${messages} messages were not accepted`);
  }
}

/** What each of them has grown by. */
export function difference<Name extends string>(
  after: Readonly<Record<Name, number>>,
  before: Readonly<Record<Name, number>>,
): Record<Name, number> {
  const names = Object.keys(after) as Name[];
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as Record<Name, number>;
}
