import { INBOUND_CHANNELS, type InboundChannel } from "../../../shared/simulator-panel";
import { el, select } from "../dom";
import { texts } from "../formatting";
import { SimulatorComposer, titledInput, type Written } from "./simulator-composer";
import type { Latest } from "./simulator-conversation";

export type Write = (
  input: Written & { readonly channel: InboundChannel; readonly sender: string },
) => Promise<boolean>;

const START = "+41790000001";

/** The form that simulates an inbound message. It starts at the latest message, until the user changes where from. */
export class SimulatorWriter {
  readonly element: HTMLElement;
  readonly #channel = select(
    texts("simulator.channel"),
    INBOUND_CHANNELS.map((each) => [each, texts(`channel.${each}`)] as const),
    () => this.#changed(),
  );
  readonly #sender = titledInput(texts("simulator.sender"));
  readonly #composer: SimulatorComposer;
  #changedByUser = false;
  #changes = 0;

  constructor(write: Write, complain: (text: string) => void) {
    this.#sender.value = START;
    this.#sender.addEventListener("input", () => this.#changed());
    this.#composer = new SimulatorComposer({
      label: texts("simulator.text"),
      complain,
      send: async (written) => {
        const channel = this.#channel.value as InboundChannel;
        const sender = this.#sender.value.trim();
        const changes = this.#changes;
        const worked = await write({ channel, sender, ...written });
        this.#changedByUser &&= !worked || changes !== this.#changes;
        return worked;
      },
    });
    this.#composer.allowPicture(this.#channel.value !== "sms");
    this.element = el(
      "fieldset",
      "",
      el("legend", "", texts("simulator.write")),
      el("div", "messaging-activity-row messaging-simulator-from", this.#channel, this.#sender),
      this.#composer.element,
    );
  }

  startAt(latest: Latest | null): void {
    if (latest === null || this.#changedByUser || this.element.contains(document.activeElement)) {
      return;
    }
    this.#channel.value = latest.channel;
    this.#sender.value = latest.number;
    this.#composer.allowPicture(latest.channel !== "sms");
  }

  reset(): void {
    this.#changedByUser = false;
  }

  #changed(): void {
    this.#changes++;
    this.#changedByUser = true;
    this.#composer.allowPicture(this.#channel.value !== "sms");
  }
}
