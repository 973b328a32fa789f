import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { arch, cpus, platform } from "node:os";
import { join } from "node:path";

/**
 * Figures about the built package, each against its goal. Service and client run in processes of their own, so that
 * what is measured is the client's alone. Prints a table, writes `.cache/bench.json`, and exits with 1 where a goal
 * falls short.
 */

const ROOT = join(__dirname, "..");
const MIB = 1024 * 1024;
const SIZE = 100 * MIB;
/** Odd, for a median. */
const ROUNDS = 7;
/** MiB by which a streamed download may raise the memory of the process. */
const MOST_GROWTH = 32;

interface Row {
  readonly what: string;
  readonly figure: string;
  readonly goal: string;
  readonly met: boolean;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function start(script: string, parameters: readonly string[] = []): ChildProcess {
  return fork(join(__dirname, "bench", script), parameters, {
    execArgv: ["--import=tsx", "--expose-gc"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

/** What a process says first. @throws Error where it ends without a word */
function heard<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as Message));
    child.once("exit", (code) => reject(new Error(`a process of the benchmark ended (${code})`)));
  });
}

interface Download {
  readonly outcome: string;
  readonly statusMessage: string;
  readonly bytes: number;
  readonly ms: number;
  readonly growth: number;
}

async function downloads(): Promise<Row[]> {
  const gateway = start("gateway.ts", [String(SIZE)]);
  try {
    const task = await heard<object>(gateway);
    const found: Download[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const client = start("download-client.ts");
      const told = heard<Download>(client);
      client.send(task);
      const result = await told;
      if (result.outcome !== "sent" || result.bytes !== SIZE) {
        throw new Error(`the download ended as ${result.outcome}: ${result.statusMessage}`);
      }
      found.push(result);
    }
    const growth = median(found.map((each) => each.growth)) / MIB;
    const speed = median(found.map((each) => each.bytes / MIB / (each.ms / 1000)));
    return [
      {
        what: `memory while ${SIZE / MIB} MiB stream down to a file`,
        figure: `+${growth.toFixed(1)} MiB`,
        goal: `at most +${MOST_GROWTH} MiB`,
        met: growth <= MOST_GROWTH,
      },
      { what: "its speed", figure: `${speed.toFixed(0)} MiB/s`, goal: "", met: true },
    ];
  } finally {
    gateway.kill();
  }
}

async function main(): Promise<number> {
  const built = spawnSync(process.execPath, ["--import=tsx", join(ROOT, "scripts", "build.ts")], {
    cwd: ROOT,
    stdio: "inherit",
  });
  if (built.status !== 0) {
    return 1;
  }
  const rows = await downloads();
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${platform()} ${arch()}, Node.js ${process.version}`;
  console.log(`\n${machine}; medians of ${ROUNDS}\n`);
  for (const { what, figure, goal, met } of rows) {
    console.log(`${met ? "ok   " : "SHORT"} ${what.padEnd(48)}${figure.padStart(12)}   ${goal}`);
  }
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  writeFileSync(join(ROOT, ".cache", "bench.json"), `${JSON.stringify({ machine, rounds: ROUNDS, rows }, null, 2)}\n`);
  return rows.every(({ met }) => met) ? 0 : 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
