import { parentPort } from "node:worker_threads";

/** What the thread is asked. It answers with `BEGUN`, then with whether the pattern was found; null where it could not be compared. */
export interface PatternQuestion {
  /** A regular expression of JavaScript, without slashes and flags. */
  readonly pattern: string;
  readonly text: string;
}

export const BEGUN = "begun";

export type PatternAnswer = typeof BEGUN | boolean | null;

parentPort?.on("message", ({ pattern, text }: PatternQuestion) => {
  const answer = (what: PatternAnswer): void => parentPort?.postMessage(what);
  // The limit counts from here: neither the start of the thread nor a busy computer is the fault of the pattern.
  answer(BEGUN);
  try {
    answer(new RegExp(pattern, "iu").test(text));
  } catch {
    answer(null);
  }
});
