import { createRequire } from "node:module";
import { join } from "node:path";
import { serve } from "../serve";

export interface JobsTask {
  /** Where the library is installed. */
  readonly folder: string;
  readonly url: string;
  readonly jobs: number;
}

interface Runner {
  stop(): Promise<void>;
}

interface Library {
  makeWorkerUtils(options: object): Promise<{
    migrate(): Promise<void>;
    release(): Promise<void>;
    withPgClient(
      work: (client: { query(text: string, values: unknown[]): Promise<unknown> }) => Promise<unknown>,
    ): Promise<void>;
  }>;
  run(options: object): Promise<Runner>;
}

const CONCURRENCY = 24;
const ADD = "SELECT graphile_worker.add_job('nothing', '{}'::json) FROM generate_series(1, $1)";

/** Adds jobs that do nothing, and works them off with the settings of the library's own benchmark. @returns seconds of the latter */
async function work({ folder, url, jobs }: JobsTask): Promise<number> {
  const library = createRequire(join(folder, "package.json"))("graphile-worker") as Library;
  const { Logger } = createRequire(join(folder, "package.json"))("@graphile/logger") as {
    Logger: new (factory: () => () => void) => object;
  };
  const logger = new Logger(() => () => {});
  const utils = await library.makeWorkerUtils({ connectionString: url, logger });
  await utils.migrate();
  await utils.withPgClient((client) => client.query(ADD, [jobs]));
  await utils.release();
  let left = jobs;
  let ended = (): void => {};
  const all = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const began = performance.now();
  const runner = await library.run({
    preset: {
      worker: {
        connectionString: url,
        concurrentJobs: CONCURRENCY,
        maxPoolSize: CONCURRENCY + 1,
        localQueue: { size: 500 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        logger,
      },
    },
    noHandleSignals: true,
    taskList: {
      nothing: () => {
        if (--left === 0) ended();
      },
    },
  });
  await all;
  const seconds = (performance.now() - began) / 1000;
  await runner.stop();
  return seconds;
}

serve({ work });
