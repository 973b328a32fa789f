import type { FoundEntries } from "../../shared/activity";

const NUMBER = /^\+?[\d\s\-./()]+$/;
/** Digits of the shortest end of a number. */
const SHORTEST = 3;
/** ms between two questions while entries come in. */
const AGAIN_AFTER = 500;

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
  #asking = false;
  #questions = 0;
  #timer: number | null = null;

  /** @param changed the entries that are found are others now */
  constructor(
    private readonly find: (text: string) => Promise<FoundEntries>,
    private readonly changed: () => void,
  ) {}

  /** Ids of the entries; null while there is no number, or no answer yet. */
  get found(): ReadonlySet<number> | null {
    return this.#found;
  }

  /** A number is looked for, and there is no answer yet. */
  get isOpen(): boolean {
    return this.#asking && this.#found === null;
  }

  /** Why nothing about the typed number is there; null where none was typed. */
  get state(): "looking" | "none" | "short" | null {
    return this.#short ? "short" : this.#text === "" ? null : this.isOpen ? "looking" : "none";
  }

  /** @param text what was typed */
  search(text: string): void {
    const number = canBeNumber(text) ? text.trim() : "";
    this.#short = isTooShort(text);
    if (number !== this.#text) {
      this.#text = number;
      this.#found = null;
      this.#ask();
    }
  }

  /** Entries came in, or all are others. */
  again(): void {
    if (this.#text !== "" && this.#timer === null) {
      this.#timer = window.setTimeout(() => {
        this.#timer = null;
        this.#ask();
      }, AGAIN_AFTER);
    }
  }

  #ask(): void {
    const question = ++this.#questions;
    this.#asking = this.#text !== "";
    if (!this.#asking) {
      return;
    }
    const settle = (found: ReadonlySet<number> | null): void => {
      if (question === this.#questions) {
        this.#asking = false;
        this.#found = found;
        this.changed();
      }
    };
    this.find(this.#text).then(
      ({ ids }) => settle(new Set(ids)),
      () => settle(null),
    );
  }
}
