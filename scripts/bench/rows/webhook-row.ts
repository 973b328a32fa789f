import type { Calls } from "../processes/caller-process";
import type { BenchOptions } from "../options";
import { packagesFolder } from "../packages";
import type { BenchRow, Figure, Situation } from "./row";
import { figure, shuffled } from "../statistics";
import type { ReceiverName } from "../processes/webhook-process";
import { Worker } from "../worker";

const CONNECTIONS = 32;
/** Enough for the engine to have compiled what matters. */
const WARM_UP = { events: 15_000, seconds: 10 };
const RECEIVERS: readonly ReceiverName[] = ["core http in", "webhook-in"];
const PLACES = [
  { situation: "webhook, admin app off", adminRoot: false },
  { situation: "webhook, admin app at /", adminRoot: "/" },
] as const;

interface Measured extends Calls {
  /** µs of the receiving process. */
  readonly cpu: number;
}

interface Receiver {
  readonly worker: Worker;
  readonly url: string;
  readonly samples: Measured[];
}

async function sampleOf(caller: Worker, { worker, url }: Receiver, seconds: number): Promise<Measured> {
  await worker.ask("cpu");
  const calls = await caller.ask<Calls>("call", { url, connections: CONNECTIONS, seconds });
  const cpu = await worker.ask<number>("cpu");
  if (calls.failed > 0) {
    throw new Error(`${calls.failed} of ${calls.calls} events were not accepted`);
  }
  return { ...calls, cpu };
}

async function warmUp(caller: Worker, receiver: Receiver): Promise<void> {
  const until = performance.now() + WARM_UP.seconds * 1000;
  for (let taken = 0; taken < WARM_UP.events && performance.now() < until; ) {
    taken += (await sampleOf(caller, receiver, 0.5)).calls;
  }
}

async function measure(adminRoot: string | false, { rounds, seconds }: BenchOptions): Promise<Figure[]> {
  const caller = new Worker("caller-process.ts");
  const receivers = new Map<ReceiverName, Receiver>();
  try {
    for (const name of RECEIVERS) {
      const worker = new Worker("webhook-process.ts");
      const url = await worker.ask<string>("start", { name, packages: await packagesFolder(), adminRoot });
      receivers.set(name, { worker, url, samples: [] });
    }
    for (const receiver of receivers.values()) {
      await warmUp(caller, receiver);
    }
    for (let round = 0; round < rounds; round++) {
      for (const [, receiver] of shuffled([...receivers])) {
        receiver.samples.push(await sampleOf(caller, receiver, seconds));
      }
    }
  } finally {
    await Promise.all(
      [caller, ...[...receivers.values()].map(({ worker }) => worker)].map((each) => each.stop()),
    );
  }
  const rate = (name: ReceiverName): number[] =>
    (receivers.get(name)?.samples ?? []).map(({ calls, seconds }) => calls / seconds);
  const cpu = (name: ReceiverName): number[] =>
    (receivers.get(name)?.samples ?? []).map(({ calls, cpu }) => cpu / calls);
  const ratio = (of: typeof rate): number[] => {
    const core = of("core http in");
    return of("webhook-in").map((value, round) => value / (core[round] as number));
  };
  return [
    ...RECEIVERS.flatMap((name) => [
      figure(name, "events/s", rate(name)),
      figure(`${name} CPU`, "µs/event", cpu(name)),
    ]),
    figure("webhook-in ÷ core http in", "", ratio(rate)),
    figure("webhook-in CPU ÷ core http in CPU", "", ratio(cpu)),
  ];
}

async function* run(options: BenchOptions): AsyncIterable<Situation> {
  for (const { situation, adminRoot } of PLACES) {
    yield { situation, figures: await measure(adminRoot, options) };
  }
}

/** Events that the service posts. */
export const WEBHOOK_ROW: BenchRow = { id: "webhook", run };
