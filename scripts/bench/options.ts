import { parseArgs } from "node:util";

export interface BenchOptions {
  /** Ids of the rows to run; null for all. */
  readonly rows: readonly string[] | null;
  readonly rounds: number;
  /** Seconds of one sample. */
  readonly seconds: number;
  /** Commits, or folders with a built state, that the present state is compared with; empty for the rows and their goals. */
  readonly compare: readonly string[];
  /** Everything, with the whole matrix of latencies and messages in flight, for the page of benchmarks. */
  readonly full: boolean;
}

export const USAGE = `npm run bench -- [options]
  --rows sends,burst   only these rows
  --rounds 7           samples of everything; the figures are their medians
  --seconds 1          length of a sample
  --compare <commit>   measures what messages and events cost beside another state, and lists what became slower;
                       several by commas, also folders with a built state. --rows sends,store,ledger,webhook,bulk
  --full               everything, every latency with every number of messages in flight; writes docs/benchmarks.md`;

function atLeast(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!(value >= least)) {
    throw new Error(`--${name} must be a number, at least ${least}, but is '${text}'\n${USAGE}`);
  }
  return value;
}

/** Options by flag, else by variable (BENCH_ROWS, BENCH_ROUNDS, BENCH_SECONDS). @throws Error for what makes no sense */
export function readOptions(argv: readonly string[], env: NodeJS.ProcessEnv): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      rows: { type: "string", default: env.BENCH_ROWS ?? "" },
      rounds: { type: "string", default: env.BENCH_ROUNDS ?? "7" },
      seconds: { type: "string", default: env.BENCH_SECONDS ?? "1" },
      compare: { type: "string", default: "" },
      full: { type: "boolean", default: false },
    },
  });
  const listOf = (text: string): string[] => text.split(",").filter((entry) => entry !== "");
  const rows = listOf(values.rows);
  if (values.full && (rows.length > 0 || values.compare !== "")) {
    throw new Error(
      `--full is everything, so that the page is of one run: no --rows, no --compare\n${USAGE}`,
    );
  }
  return {
    rows: rows.length === 0 ? null : rows,
    rounds: Math.floor(atLeast("rounds", values.rounds, 1)),
    seconds: atLeast("seconds", values.seconds, 0.05),
    compare: listOf(values.compare),
    full: values.full,
  };
}
