import type { NodeStatus } from "node-red";
import type { WaitKind, WaitOutcome } from "../../shared/fields/wait-fields";
import { formatNumber } from "../../texts/format-number";
import { say } from "../../texts/say";
import { troubleText } from "../node-red/trouble-text";
import type { NeededEvents } from "./webhooks-in-flows";

/** What a wait ends with, in the words of what was waited for. */
type Ended = WaitKind | Exclude<WaitOutcome, "happened">;

/** The badge of a message-wait node: how many recipients it waits for and what became of the others, or what is wrong. */
export class WaitBadge {
  #open = 0;
  /** People by what their wait ended with, since the node started. */
  readonly #ended = new Map<Ended, number>();
  /** Whether some have ended without what was waited for. */
  #isWarning = false;
  /** Whether a sensitive message was emitted without its text, since the node started. */
  #isTextless = false;
  #trouble: unknown = null;
  #fault: unknown = null;
  #unheard: NeededEvents | null = null;

  constructor(private readonly show: (status: NodeStatus) => void) {}

  counted(open: number): void {
    this.#open = open;
    this.#update();
  }

  /** Waits of people have ended, or other replies have come. @param goesOn whether the waits go on after these replies */
  ended(what: Ended, people: number, goesOn = false): void {
    this.#isWarning ||= what === "failed" || what === "silent" || (what === "other" && !goesOn);
    this.#ended.set(what, (this.#ended.get(what) ?? 0) + people);
    this.#update();
  }

  textless(): void {
    this.#isTextless = true;
    this.#update();
  }

  /** The account does not work; null: it works again. */
  trouble(error: unknown): void {
    this.#trouble = error;
    this.#update();
  }

  /** The last message had a fault; null: it had none. */
  fault(error: unknown): void {
    this.#fault = error;
    this.#update();
  }

  /** What no webhook-in node receives; null where one does. */
  unheard(events: NeededEvents | null): void {
    this.#unheard = events;
    this.#update();
  }

  #update(): void {
    const wrong = this.#trouble ?? this.#fault;
    const waiting = this.#open > 0 ? [say("badges.wait.waiting", { n: formatNumber(this.#open) })] : [];
    const show = (look: NodeStatus, ...texts: string[]): void =>
      this.show({ ...look, text: texts.join(" · ") });
    if (wrong !== null) {
      show({ fill: "red", shape: "ring" }, troubleText(wrong, "badges.wait.fails"), ...waiting);
    } else if (this.#unheard !== null) {
      show({ fill: "yellow", shape: "ring" }, say(`badges.wait.unheard.${this.#unheard}`), ...waiting);
    } else {
      const ended = [...this.#ended].map(([what, n]) =>
        say(`badges.wait.ended.${what}`, { n: formatNumber(n) }),
      );
      const textless = this.#isTextless ? [say("badges.reason.TEXT_NOT_STORED")] : [];
      const parts = [...waiting, ...ended, ...textless];
      show(this.#look(waiting.length > 0), ...(parts.length === 0 ? [say("badges.wait.idle")] : parts));
    }
  }

  #look(isWaiting: boolean): NodeStatus {
    if (this.#isWarning) {
      return { fill: "yellow", shape: "dot" };
    }
    if (isWaiting) {
      return { fill: "blue", shape: "dot" };
    }
    return this.#ended.size === 0 ? { fill: "grey", shape: "ring" } : { fill: "green", shape: "dot" };
  }
}
