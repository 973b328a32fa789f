import { useEffect, useRef, useState } from "preact/hooks";

/** Tests shorten the interval. */
export const POLL = { intervalMs: 2_000 };

export interface Poll<Data> {
  /** null until it is read. */
  readonly data: Data | null;
  /** Why the last reading failed; null if it did not. */
  readonly failure: unknown;
  readonly refresh: () => void;
}

interface State<Data> {
  readonly key: string;
  readonly data: Data | null;
  readonly failure: unknown;
}

/** Reads data at once and at intervals, as long as the user sees the view. @param key of the data: other data has another key */
export function usePoll<Data>(key: string, isActive: boolean, read: () => Promise<Data>): Poll<Data> {
  const [state, setState] = useState<State<Data>>({ key, data: null, failure: null });
  const [turn, setTurn] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    if (!isActive) {
      return;
    }
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      if (!document.hidden) {
        try {
          const data = await latest.current();
          if (isCurrent) setState({ key, data, failure: null });
        } catch (failure) {
          if (isCurrent)
            setState(({ data, ...old }) => ({ key, data: old.key === key ? data : null, failure }));
        }
      }
      if (isCurrent) timer = setTimeout(() => void look(), POLL.intervalMs);
    };
    void look();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key, isActive, turn]);
  const { data, failure } = state.key === key ? state : { data: null, failure: null };
  return { data, failure, refresh: () => setTurn((turns) => turns + 1) };
}
