import { INBOUND_CHANNELS, type InboundChannel } from "../../../shared/simulator-panel";
import { el, select } from "../dom";
import { texts } from "../formatting";
import { AccountChoice } from "./simulator-accounts";
import { SimulatorComposer, titledInput, type Written } from "./simulator-composer";
import type { Latest } from "./simulator-conversation";

export type Write = (
  accountId: string,
  input: Written & { readonly channel: InboundChannel; readonly sender: string },
) => Promise<boolean>;

const START = "+41790000001";

/** The form that simulates an inbound message. It starts at the latest message, until the user changes where from. */
export class SimulatorWriter {
  readonly element: HTMLElement;
  readonly account: AccountChoice;
  readonly #channel = select(
    texts("simulator.channel"),
    INBOUND_CHANNELS.map((each) => [each, texts(`channel.${each}`)] as const),
    () => this.#changed(),
  );
  readonly #sender = titledInput(texts("simulator.sender"));
  readonly #composer: SimulatorComposer;
  #changedByUser = false;
  #changes = 0;

  constructor(write: Write, complain: (text: string) => void, chosen: (accountId: string) => void) {
    this.account = new AccountChoice((id) => {
      this.#changed();
      chosen(id);
    });
    this.#sender.value = START;
    this.#sender.addEventListener("input", () => this.#changed());
    this.#composer = new SimulatorComposer({
      label: texts("simulator.text"),
      complain,
      send: async (written) => {
        const channel = this.#channel.value as InboundChannel;
        const sender = this.#sender.value.trim();
        const changes = this.#changes;
        const worked = await write(this.account.value, { channel, sender, ...written });
        this.#changedByUser &&= !worked || changes !== this.#changes;
        return worked;
      },
    });
    this.#composer.allowPicture(this.#channel.value !== "sms");
    this.element = el(
      "fieldset",
      "",
      el("legend", "", texts("simulator.write")),
      this.account.element,
      el("div", "messaging-activity-row messaging-simulator-from", this.#channel, this.#sender),
      this.#composer.element,
    );
  }

  startAt(latest: Latest | null): void {
    if (latest === null || this.#changedByUser || this.element.contains(document.activeElement)) {
      return;
    }
    this.account.choose(latest.accountId);
    this.#channel.value = latest.channel;
    this.#sender.value = latest.number;
    this.#composer.allowPicture(latest.channel !== "sms");
  }

  /** Acts for an account that was chosen elsewhere in the panel, until the user starts again. */
  follow(accountId: string): void {
    this.account.choose(accountId);
    this.#changedByUser = true;
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
