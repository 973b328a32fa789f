import type { NodeStatus } from "node-red";
import { FieldError, SetupError } from "../../shared/messaging-error";
import { StoreError } from "../../store/engine/store-error";
import { say } from "../../texts/say";
import { troubleText } from "../node-red/trouble-text";
import type { NeededEvents } from "./webhooks-in-flows";

const shortly = (error: unknown): string =>
  error instanceof SetupError || error instanceof FieldError || error instanceof StoreError
    ? troubleText(error)
    : say("badges.wait.fails");

/** The badge of a message-wait node: how many recipients it waits for, or what is wrong. */
export class WaitBadge {
  #open = 0;
  #trouble: unknown = null;
  #fault: unknown = null;
  #unheard: NeededEvents | null = null;

  constructor(private readonly show: (status: NodeStatus) => void) {}

  /** How many recipients are waited for. */
  counted(open: number): void {
    this.#open = open;
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
    const waiting = this.#open > 0 ? say("badges.wait.waiting", { n: this.#open }) : null;
    if (wrong !== null) {
      const text = [shortly(wrong), ...(waiting === null ? [] : [waiting])].join(" · ");
      this.show({ fill: "red", shape: "ring", text });
    } else if (this.#unheard !== null) {
      const missing = say(`badges.wait.unheard.${this.#unheard}`);
      const text = [missing, ...(waiting === null ? [] : [waiting])].join(" · ");
      this.show({ fill: "yellow", shape: "ring", text });
    } else if (waiting !== null) {
      this.show({ fill: "blue", shape: "dot", text: waiting });
    } else {
      this.show({ fill: "grey", shape: "ring", text: say("badges.wait.idle") });
    }
  }
}
