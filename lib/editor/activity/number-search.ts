import type { FoundEntries } from "../../shared/activity";

const NUMBER = /^\+?[\d\s\-./()]+$/;
/** Digits of the shortest end of a number. */
const SHORTEST = 3;
/** ms between two questions while entries come in. */
const AGAIN_AFTER = 500;
/** ms until a question is asked again that got no answer. */
const RETRY_AFTER = 2_000;

/** Whether a text can be a number, or the end of one. */
export const canBeNumber = (text: string): boolean =>
  NUMBER.test(text.trim()) && text.replace(/\D/g, "").length >= SHORTEST;

/** Whether a text is the beginning of a number that somebody types. */
const isTooShort = (text: string): boolean => /^[+(\d][\d\s\-./()]*$/.test(text.trim()) && !canBeNumber(text);

/** Looks in the runtime for the entries about the number that somebody types, for the entries here hold masked ones. */
export class NumberSearch {
  #text = "";
  #short = false;
  #found: ReadonlySet<number> | null = null;
  /** The latest question got no answer, for example because too many people search. */
  #failed = false;
  #questions = 0;
  #timer: number | null = null;

  /** @param changed the entries that are found are others now */
  constructor(
    private readonly find: (text: string) => Promise<FoundEntries>,
    private readonly changed: () => void,
  ) {}

  /** Ids of the entries; null while there is no number, or no answer yet. What is found stays while it cannot be looked for. */
  get found(): ReadonlySet<number> | null {
    return this.#found;
  }

  /** Why nothing about the typed number is there; null where none was typed. */
  get state(): "looking" | "none" | "short" | "busy" | null {
    if (this.#short) {
      return "short";
    }
    if (this.#text === "") {
      return null;
    }
    return this.#failed ? "busy" : this.#found === null ? "looking" : "none";
  }

  /** @param text what was typed */
  search(text: string): void {
    const number = canBeNumber(text) ? text.trim() : "";
    this.#short = isTooShort(text);
    if (number !== this.#text) {
      this.#text = number;
      this.#found = null;
      this.#failed = false;
      this.#ask();
    }
  }

  /** Entries came in, or all are others. */
  again(after = AGAIN_AFTER): void {
    if (this.#text !== "" && this.#timer === null) {
      this.#timer = window.setTimeout(() => {
        this.#timer = null;
        this.#ask();
      }, after);
    }
  }

  #ask(): void {
    const question = ++this.#questions;
    if (this.#text === "") {
      return;
    }
    const settle = (found: ReadonlySet<number> | null): void => {
      if (question !== this.#questions) {
        return;
      }
      const isNews = found !== null || !this.#failed;
      this.#failed = found === null;
      this.#found = found ?? this.#found;
      if (this.#failed) {
        this.again(RETRY_AFTER);
      }
      if (isNews) {
        this.changed();
      }
    };
    this.find(this.#text).then(
      ({ ids }) => settle(new Set(ids)),
      () => settle(null),
    );
  }
}
