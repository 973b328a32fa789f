import type { BenchOptions } from "../options";
import { packagesFolder } from "../packages";
import type { ReceiverName } from "../processes/webhook-process";
import { type Received, Receiver } from "../receiving";
import { figuresAgainst, figuresOf, inTurns, ratioOf } from "../report/statistics";
import { Worker } from "../worker";
import type { BenchRow, Figure } from "./row";

const RECEIVERS: readonly ReceiverName[] = ["core http in", "webhook-in"];
const PLACES = [
  { situation: "webhook, admin app off", adminRoot: false },
  { situation: "webhook, admin app at /", adminRoot: "/" },
] as const;

const rate = ({ calls, seconds }: Received): number => calls / seconds;
const cpu = ({ calls, cpu: used }: Received): number => used / calls;

async function measure(adminRoot: string | false, { rounds, seconds }: BenchOptions): Promise<Figure[]> {
  const caller = new Worker("caller-process.ts");
  const receivers = new Map<ReceiverName, Receiver>();
  try {
    for (const name of RECEIVERS) {
      const receiver = await Receiver.start({ name, packages: await packagesFolder(), adminRoot });
      receivers.set(name, receiver);
      await receiver.warmUp(caller);
    }
    const samplesOf = await inTurns(RECEIVERS, rounds, (name) =>
      (receivers.get(name) as Receiver).sample(caller, seconds),
    );
    const against = figuresAgainst(samplesOf("webhook-in"), samplesOf("core http in"));
    return [
      ...RECEIVERS.flatMap((name) => {
        const of = figuresOf(samplesOf(name));
        return [of(name, "events/s", rate), of(`${name} CPU`, "µs/event", cpu)];
      }),
      against("webhook-in ÷ core http in", "", ratioOf(rate)),
      against("webhook-in CPU ÷ core http in CPU", "", ratioOf(cpu)),
    ];
  } finally {
    await Promise.all([caller, ...receivers.values()].map((each) => each.stop()));
  }
}

/** Events that the service posts. */
export const WEBHOOK_ROW: BenchRow = {
  id: "webhook",
  run: async function* (options) {
    for (const { situation, adminRoot } of PLACES) {
      yield { situation, figures: await measure(adminRoot, options) };
    }
  },
};
