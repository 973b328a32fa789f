import { join } from "node:path";
import { buildSync } from "esbuild";
import { type Pool, pool } from "workerpool";

/** Starts a process. Its script is compiled ahead: a loader of TypeScript would also rewrite the packages under measurement. */
export function openWorker(script: string): Pool {
  const outfile = join(__dirname, "..", "..", ".cache", "bench", script.replace(/\.ts$/, ".cjs"));
  const options = { bundle: true, platform: "node", format: "cjs", target: "node20" } as const;
  buildSync({ ...options, packages: "external", entryPoints: [join(__dirname, script)], outfile });
  const forkOpts = { execArgv: ["--expose-gc"] };
  return pool(outfile, { maxWorkers: 1, workerType: "process", forkOpts });
}

/** A task of a sender. */
export interface SampleTask {
  readonly inFlight: number;
  readonly seconds: number;
}

/** What a sender did. */
export interface Sample {
  readonly messages: number;
  readonly seconds: number;
  /** µs of all threads. */
  readonly cpu: number;
}

/** Keeps messages in flight for some time. @param send resolves with the result of one message */
export async function sample({ inFlight, seconds }: SampleTask, send: () => Promise<void>): Promise<Sample> {
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  let messages = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < start + seconds * 1000) {
      await send();
      messages++;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  const { user, system } = process.cpuUsage(cpu);
  return { messages, seconds: (performance.now() - start) / 1000, cpu: user + system };
}

/** Makes a message to a random number. */
export const makeMessage = () => ({
  to: `+4179${String(1_000_000 + Math.floor(Math.random() * 9_000_000))}`,
  payload: "Your parcel is on its way and arrives between 2 and 4 pm.",
});

/** Path of the operation that all senders use, and their sign-in. */
export const SMS_PATH = "/rest/smsmessaging/simple";
export const USER = { username: "bench", password: "only-for-measuring" };
