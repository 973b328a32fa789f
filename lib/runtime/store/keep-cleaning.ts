/** Milliseconds between slices, with and without more to delete. */
const NEXT_SLICE = 200;
const NEXT_CLEANING = 60 * 60 * 1000;

/** Deletes expired data in slices. The next message reports a failure. @param deleteSlice true if there is more */
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
