import { PeakMemory } from "../peak-memory";
import { makeSendClient, type SendClient, type SendClientName, type Service } from "../send-clients";
import { ownThreadTime, processorTime } from "../processor-time";
import { FIRST_RECIPIENT } from "../stub-gateway";
import { type Standstill, StandstillWatch } from "../standstill";
import { serve } from "../serve";

export interface SampleTask {
  readonly inFlight: number;
  /** No message begins after that; those under way are waited for. */
  readonly seconds: number;
}

export interface Sample {
  readonly messages: number;
  readonly failed: number;
  readonly seconds: number;
  /** µs of processor time, of all threads of the process. */
  readonly cpu: number;
  /** µs of that in the thread that runs the flows; 0 where the system does not say. */
  readonly thread: number;
}

export interface BurstSample extends Sample {
  /** Bytes on top of what the process took before. */
  readonly growth: number;
}

export interface BulkSample extends BurstSample {
  readonly standstill: Standstill;
  /** Until the first result, before which the message was read, checked and, where it is kept, stored. */
  readonly first: { readonly seconds: number; readonly growth: number; readonly standstill: Standstill };
}

export interface LoadSample extends Sample {
  readonly standstill: Standstill;
}

export interface LatencyTask {
  readonly messages: number;
  /** ms between a result and the next message. */
  readonly pause: number;
}

let client: SendClient;

/** @returns gives what has been used since, when it is called */
function meter(): () => Pick<Sample, "seconds" | "cpu" | "thread"> {
  const [cpu, thread, began] = [processorTime(), ownThreadTime(), performance.now()];
  return () => ({
    seconds: (performance.now() - began) / 1000,
    cpu: processorTime() - cpu,
    thread: ownThreadTime() - thread,
  });
}

/** Keeps so many in flight until the time is up. */
function sample({ inFlight, seconds }: SampleTask): Promise<Sample> {
  return new Promise((resolve) => {
    const used = meter();
    const until = performance.now() + seconds * 1000;
    let messages = 0;
    let failed = 0;
    let underWay = inFlight;
    client.ended = (accepted) => {
      messages++;
      failed += accepted ? 0 : 1;
      if (performance.now() < until) {
        client.send();
      } else if (--underWay === 0) {
        resolve({ messages, failed, ...used() });
      }
    };
    for (let each = 0; each < inFlight; each++) {
      client.send();
    }
  });
}

/** Waits for so many results of what `start` begins. */
function results(count: number, start: () => void, each = (): void => {}): Promise<Sample> {
  return new Promise((resolve) => {
    const used = meter();
    let messages = 0;
    let failed = 0;
    client.ended = (accepted) => {
      failed += accepted ? 0 : 1;
      each();
      if (++messages === count) {
        resolve({ messages, failed, ...used() });
      }
    };
    start();
  });
}

async function burst(count: number): Promise<BurstSample> {
  const memory = new PeakMemory();
  const outcome = await results(count, () => {
    for (let each = 0; each < count; each++) {
      client.send();
    }
  });
  return { ...outcome, growth: memory.stop() };
}

/** A list of recipients; what making it left behind is the bench's own. */
async function listOf(recipients: number): Promise<string[]> {
  const to = Array.from({ length: recipients }, (_none, at) => String(FIRST_RECIPIENT + at));
  (globalThis as { gc?: () => void }).gc?.();
  await new Promise((resolve) => setTimeout(resolve, 50));
  return to;
}

/** One message to so many; resolves with the first result. */
async function accept(recipients: number): Promise<BulkSample["first"]> {
  const to = await listOf(recipients);
  const memory = new PeakMemory();
  const watch = new StandstillWatch();
  const { seconds } = await results(1, () => client.send(to));
  return { seconds, growth: memory.stop(), standstill: watch.stop() };
}

async function bulk(recipients: number): Promise<BulkSample> {
  const to = await listOf(recipients);
  const memory = new PeakMemory();
  const watch = new StandstillWatch();
  let first: BulkSample["first"] | null = null;
  const began = performance.now();
  const firstMemory = new PeakMemory();
  const firstWatch = new StandstillWatch();
  const outcome = await results(
    Math.ceil(recipients / 1000),
    () => client.send(to),
    () => {
      const seconds = (performance.now() - began) / 1000;
      first ??= { seconds, growth: firstMemory.stop(), standstill: firstWatch.stop() };
    },
  );
  return {
    ...outcome,
    growth: memory.stop(),
    standstill: watch.stop(),
    first: first as unknown as BulkSample["first"],
  };
}

/** As `sample`, and watches the event loop. */
async function load(task: SampleTask): Promise<LoadSample> {
  const watch = new StandstillWatch();
  const outcome = await sample(task);
  return { ...outcome, standstill: watch.stop() };
}

/** One message after the other, with pauses. @returns ms from each message to its result */
async function latencies({ messages, pause }: LatencyTask): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < messages) {
    const began = performance.now();
    const { failed } = await results(1, () => client.send());
    if (failed > 0) {
      throw new Error("a message was not accepted");
    }
    taken.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return taken;
}

/** Deploys the flow and waits for a result that it has not been asked for. @returns seconds from the start of the flow */
async function resume(service: Service): Promise<number> {
  const ended = new Promise<void>((resolve) => {
    client.ended = () => resolve();
  });
  await client.prepare(service);
  const began = performance.now();
  await ended;
  return (performance.now() - began) / 1000;
}

serve({
  start: async ({ name, packages }: { name: SendClientName; packages: string }): Promise<void> => {
    client = await makeSendClient(name, packages);
  },
  prepare: (service: Service) => client.prepare(service),
  webhook: () => client.webhook,
  sample,
  burst,
  bulk,
  load,
  accept,
  latencies,
  resume,
});
