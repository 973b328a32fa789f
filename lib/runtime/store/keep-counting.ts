import type { Engine } from "../../store/engine/engine";

/** ms between two days that are counted, and so on. */
const PAUSES = {
  /** After a start others have more to do. */
  first: 60_000,
  /** For which this process has written nothing, before a day is counted. */
  rest: 1_000,
  /** After which a day is counted in a store that is never at rest. */
  busy: 60_000,
  /** Where there is nothing to count. */
  next: 60 * 60 * 1_000,
};

/**
 * Counts days for reports, one after the other, for as long as the store is open: whoever asks for a report is to find them counted. A
 * failure is met again at the next message, which reports it.
 * @param step see `CountAhead`
 * @returns ends it
 */
export function keepCounting(
  engine: Pick<Engine, "committedAt">,
  step: () => Promise<boolean>,
  pauses: typeof PAUSES = PAUSES,
): () => void {
  let timer: NodeJS.Timeout;
  let stopped = false;
  /** ms of the clock that runs, at which it wanted to count and the store was not at rest. */
  let waiting: number | null = null;
  const isTime = (): boolean => {
    const { committedAt } = engine;
    // A clock that was set back says nothing.
    if (committedAt === null || Math.abs(Date.now() - committedAt) >= pauses.rest) {
      return true;
    }
    waiting ??= performance.now();
    return performance.now() - waiting >= pauses.busy;
  };
  const count = async (): Promise<void> => {
    let more = true;
    if (isTime()) {
      waiting = null;
      more = await step().catch(() => false);
    }
    if (!stopped) {
      timer = setTimeout(() => void count(), more ? pauses.rest : pauses.next).unref();
    }
  };
  timer = setTimeout(() => void count(), pauses.first).unref();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
