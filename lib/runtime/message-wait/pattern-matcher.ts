import { extname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { MessagingError } from "../../shared/messaging-error";
import { LONGEST_TEXT } from "../../shared/words/read-words";
import { say } from "../../texts/say";
import { BEGUN, type PatternAnswer, type PatternQuestion } from "./pattern-thread";

const THREAD = join(__dirname, `pattern-thread${extname(__filename)}`);
/** ms for one text. */
const PATTERN_LIMIT = 100;
/** ms without a question after which the thread ends. */
const UNUSED = 10_000;

/** A reply could not be compared with the pattern of its node within the limit, so it counts as another one. */
export class PatternError extends MessagingError {
  constructor() {
    super("PATTERN_TOO_SLOW", say("waits.pattern.slow", { limit: PATTERN_LIMIT }));
  }
}

interface Question extends PatternQuestion {
  readonly resolve: (found: boolean | null) => void;
}

/**
 * Compares texts with patterns of users in a thread of its own, one after the other: a pattern that needs long for a hostile text
 * holds up no event loop. The thread starts with the first question and ends when there is none for ten seconds.
 */
export class PatternMatcher {
  readonly #waiting: Question[] = [];
  #asked: Question | null = null;
  #thread: Worker | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** @param thread file of the thread's code */
  constructor(private readonly thread = THREAD) {}

  get isRunning(): boolean {
    return this.#thread !== null;
  }

  /**
   * Whether a pattern is found in the first 1,000 characters of a text, in any case.
   * @param pattern a regular expression of JavaScript, without slashes and flags
   * @returns null where that is not known within 100 ms, or the thread cannot run
   */
  find(pattern: string, text: string): Promise<boolean | null> {
    return new Promise((resolve) => {
      this.#waiting.push({ pattern, text: text.slice(0, LONGEST_TEXT), resolve });
      this.#ask();
    });
  }

  #ask(): void {
    if (this.#asked !== null) {
      return;
    }
    const asked = this.#waiting.shift();
    if (asked === undefined) {
      return;
    }
    this.#asked = asked;
    clearTimeout(this.#timer);
    try {
      this.#thread ??= this.#start();
    } catch {
      // The process may start no thread.
      this.#settle(null);
      return;
    }
    // The process goes on while an answer is awaited, and may end while none is.
    this.#thread.ref();
    const { pattern, text } = asked;
    this.#thread.postMessage({ pattern, text } satisfies PatternQuestion);
  }

  #start(): Worker {
    const thread = new Worker(this.thread, { name: "messaging-pattern" });
    thread.on("message", (answer: PatternAnswer) => {
      if (thread !== this.#thread) {
        return;
      }
      if (answer === BEGUN) {
        this.#limit(thread);
      } else {
        this.#settle(answer);
      }
    });
    const ended = (): void => {
      if (thread === this.#thread) {
        this.#thread = null;
        this.#settle(null);
      }
    };
    thread.on("error", ended);
    thread.on("exit", ended);
    return thread;
  }

  #limit(thread: Worker): void {
    const asked = this.#asked;
    this.#timer = setTimeout(() => {
      // After an event loop that was busy itself the answer is there, but not read yet.
      setImmediate(() => {
        if (asked === this.#asked && thread === this.#thread) {
          this.#end();
          this.#settle(null);
        }
      });
    }, PATTERN_LIMIT);
  }

  #end(): void {
    void this.#thread?.terminate();
    this.#thread = null;
  }

  #settle(found: boolean | null): void {
    clearTimeout(this.#timer);
    const asked = this.#asked;
    this.#asked = null;
    this.#thread?.unref();
    this.#timer = setTimeout(() => this.#end(), UNUSED).unref();
    asked?.resolve(found);
    this.#ask();
  }
}

export const PATTERNS = new PatternMatcher();
