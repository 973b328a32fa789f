import type { Simulator } from "../../../simulator/index";
import { Outbox } from "../../../lib/runtime/store/outbox/outbox";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import type { Value } from "../../../lib/store/engine/engine";
import { statement } from "../../../lib/store/schema/statement";
import { accountAt, ACCOUNT, type Config, type FlowOptions, SENDER, startFlow, type TestFlow } from "../flow";

export const TO = "41790000001";

/** A flow whose account keeps messages in a folder. */
export function startStored(
  simulator: Simulator,
  folder: string,
  { account, ...options }: FlowOptions = {},
): Promise<TestFlow> {
  const real = accountAt(simulator);
  return startFlow({
    ...real,
    ...options,
    account: { ...real.account, keepMessages: "computer", storeFolder: folder, ...account },
  });
}

const made = new Map<string, ReturnType<typeof statement>>();
const statementOf = (text: string): ReturnType<typeof statement> => {
  const known = made.get(text) ?? statement(`test_flow_${made.size}`, () => text);
  made.set(text, known);
  return known;
};

type Rows = readonly Readonly<Record<string, Value>>[];

/** Runs statements in the database of a folder. @returns the rows of each */
export async function allInStore(folder: string, texts: readonly string[]): Promise<readonly Rows[]> {
  const { engine, release } = await shareSqlite(folder);
  try {
    return await engine.run(texts.map((text) => ({ statement: statementOf(text), values: [] })));
  } finally {
    await release();
  }
}

/** Runs statements in the database of a folder. @returns the rows of the last one */
export const inStore = async (folder: string, ...texts: readonly string[]): Promise<Rows> =>
  (await allInStore(folder, texts)).at(-1) ?? [];

/**
 * Makes the flows that stopped look as if their process had been killed: it has no object of any message, and what was leaving is
 * marked so.
 */
export const killed = (folder: string, ...more: readonly string[]): Promise<unknown> => {
  Outbox.of(ACCOUNT).messages.clear();
  return inStore(folder, "UPDATE jobs SET job_key = 'before ' || job_key", ...more);
};

export const NODE = { node: SENDER, account: ACCOUNT } as const;
export type { Config };
