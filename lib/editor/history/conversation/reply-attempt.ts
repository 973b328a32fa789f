import type { ReplyState } from "../../../shared/history/typed-reply";
import { RequestFailure } from "../../activity/request";
import { readReplyState, sendReply } from "../history-link";
import { failureText } from "../wording";

/** ms of the pauses between the looks for what became of a reply whose answer was lost. */
const PAUSES = [500, 1_000, 2_000, 4_000, 8_000, 15_000] as const;

/** What is sent. */
export interface ShownReply {
  readonly number: string;
  readonly node: string;
  readonly text: string;
  /** `shown` of its plan. */
  readonly shown: string;
}

/**
 * What became of a press: `taken`; `earlier`, where a press before it had been taken; `other`, where that was one with another text; `not`,
 * where nothing was taken; `refused`, where that is by the runtime; `lost`, where the store cannot say so any more; `unsure`, where nobody
 * answers.
 */
export interface Outcome {
  readonly what: "taken" | "earlier" | "other" | "not" | "lost" | "unsure" | "refused";
  /** Of what was refused, or could not be taken; else blank. */
  readonly why: string;
}

const outcomeOf = (what: Outcome["what"]): Outcome => ({ what, why: "" });

/** No two have the same. Also where the page is not secure, as in a local network, and the browser makes no UUIDs. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/**
 * The one reply that a form sends. It keeps its id until it is sure that it was taken: whichever of its presses arrives first is sent, and
 * no other one, also one that was taken for lost and arrives late.
 */
export class ReplyAttempt {
  /** What is asked of it, or sent, at the moment. */
  works = 0;
  readonly #id: string;
  /** Texts that were pressed. */
  #pressed: string[] = [];
  #isUnsure = false;
  #isTaken = false;

  /** @param begin of the form */
  constructor(
    private readonly account: string,
    begin: string,
  ) {
    this.#id = `${begin}${newUuid()}`;
  }

  get isBusy(): boolean {
    return this.works > 0;
  }

  /** Whether a press may have been taken whose answer is not there, or was lost. */
  get isUnsure(): boolean {
    return this.#isUnsure;
  }

  /** Whether it is sure that one of its presses was taken. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Whether anything was pressed that may still arrive, so that a new id would not know of it. */
  get wasPressed(): boolean {
    return this.#pressed.length > 0;
  }

  /** Keeps the id, and nothing that a person has written. */
  forgetTexts(): void {
    this.#pressed = this.#pressed.map(() => "");
  }

  /**
   * Sends a reply; where the answer is lost, finds out what became of it.
   * @param asking called when it begins to do so
   * @param goesOn as for `find`
   * @throws RequestFailure `denied` (as a rejection): nothing was taken
   */
  async send(reply: ShownReply, asking: () => void, goesOn: () => boolean): Promise<Outcome> {
    this.#pressed.push(reply.text);
    this.#isUnsure = true;
    try {
      const replied = await sendReply(this.account, { id: this.#id, ...reply });
      this.#isUnsure = false;
      switch (replied.what) {
        case "refused":
          this.#pressed.pop();
          await this.#bury();
          return replied;
        case "taken":
          this.#isTaken = true;
          return outcomeOf("taken");
        case "earlier":
          return this.#earlier(reply.text);
      }
    } catch (failure) {
      if (failure instanceof RequestFailure && failure.fault === "denied") {
        this.#isUnsure = false;
        this.#pressed.pop();
        throw failure;
      }
      asking();
      const outcome = await this.find(reply.text, goesOn);
      const isAnswer = failure instanceof RequestFailure && failure.fault !== "down";
      return outcome.what === "not" && isAnswer ? { ...outcome, why: failureText(failure) } : outcome;
    }
  }

  /** Nothing of an id arrives any more that is too old for the runtime. */
  async #bury(): Promise<void> {
    if (this.wasPressed && (await this.state().catch(() => null))?.taken === null) {
      this.#pressed = [];
    }
  }

  /**
   * Finds out what became of a reply, and sends nothing. Never rejects.
   * @param text of the last press
   * @param goesOn asked before each further look
   */
  async find(text: string, goesOn: () => boolean): Promise<Outcome> {
    for (const pause of [...PAUSES, null]) {
      const state = await this.state().catch(() => null);
      if (state !== null) {
        this.#isUnsure = false;
        return state.taken === true ? this.#earlier(text) : outcomeOf(state.taken === false ? "not" : "lost");
      }
      if (pause === null || !goesOn()) {
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return outcomeOf("unsure");
  }

  /** Rejects with a `RequestFailure`. */
  state(): Promise<ReplyState> {
    return readReplyState(this.account, this.#id);
  }

  /** Which of the texts was taken cannot be said where there are several. */
  #earlier(text: string): Outcome {
    this.#isTaken = true;
    return outcomeOf(this.#pressed.every((each) => each === text) ? "earlier" : "other");
  }
}
