/** ms between two slices of deleting what is old, while there is more, and when there is none. */
const NEXT_SLICE = 200;
const NEXT_CLEANING = 60 * 60 * 1000;

/**
 * Deletes what is old, a slice now and then, for as long as the store is open. A failure is met again at the next message,
 * which reports it.
 * @param deleteSlice tells whether there is more
 * @returns ends it
 */
export function keepCleaning(deleteSlice: () => Promise<boolean>): () => void {
  let timer: NodeJS.Timeout;
  let stopped = false;
  const clean = async (): Promise<void> => {
    const more = await deleteSlice().catch(() => false);
    if (!stopped) {
      timer = setTimeout(() => void clean(), more ? NEXT_SLICE : NEXT_CLEANING).unref();
    }
  };
  timer = setTimeout(() => void clean(), NEXT_SLICE).unref();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
