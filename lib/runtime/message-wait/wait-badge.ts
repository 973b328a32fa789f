import type { NodeStatus } from "node-red";
import type { WaitKind, WaitOutcome } from "../../shared/fields/wait-fields";
import { formatNumber } from "../../texts/format-number";
import { say } from "../../texts/say";
import { troubleText } from "../node-red/trouble-text";
import type { NeededEvents } from "./webhooks-in-flows";

type Ended = WaitKind | Exclude<WaitOutcome, "happened">;

export class WaitBadge {
  #open = 0;
  readonly #ended = new Map<Ended, number>();
  #isWarning = false;
  #isTextless = false;
  #trouble: unknown = null;
  #fault: unknown = null;
  #unheard: NeededEvents | null = null;

  constructor(private readonly show: (status: NodeStatus) => void) {}

  counted(open: number): void {
    this.#open = open;
    this.#update();
  }

  ended(what: Ended, people: number, goesOn = false): void {
    this.#isWarning ||= what === "failed" || what === "silent" || (what === "other" && !goesOn);
    this.#ended.set(what, (this.#ended.get(what) ?? 0) + people);
    this.#update();
  }

  textless(): void {
    this.#isTextless = true;
    this.#update();
  }

  trouble(error: unknown): void {
    this.#trouble = error;
    this.#update();
  }

  fault(error: unknown): void {
    this.#fault = error;
    this.#update();
  }

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
      show({ fill: "red", shape: "ring" }, troubleText(wrong, say("badges.wait.fails")), ...waiting);
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
