import type { PanelPicture } from "../../../shared/simulator-panel";
import { button, el, textInput } from "../dom";
import { texts } from "../formatting";
import { PicturePicker } from "./simulator-picture";

export interface Written {
  readonly text: string;
  readonly picture?: PanelPicture;
}

export interface ComposerOptions {
  /** Placeholder and name of the input. */
  readonly label: string;
  /** Sends it and returns whether that worked; what worked is cleared. */
  readonly send: (written: Written) => Promise<boolean>;
  /** Called when something was sent, and the input is as it was left. */
  readonly sent?: () => void;
  readonly complain: (text: string) => void;
}

/** The input of a person's message: a text, a picture, or both. Enter sends. */
export class SimulatorComposer {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  readonly #picture: PicturePicker;
  /** What is on its way. */
  #sending: Written | null = null;

  constructor(private readonly options: ComposerOptions) {
    this.input = titledInput(options.label, () => this.#submit());
    this.#picture = new PicturePicker(options.complain);
    this.element = el(
      "div",
      "",
      el(
        "div",
        "messaging-activity-row",
        this.input,
        button({ icon: "paper-plane-o", tip: texts("simulator.send") }, () => this.#submit()),
      ),
      this.#picture.element,
    );
  }

  /** Gives the input another placeholder and name. */
  rename(label: string): void {
    this.input.placeholder = label;
    this.input.title = label;
    this.input.setAttribute("aria-label", label);
  }

  /** An SMS carries no picture. */
  allowPicture(allowed: boolean): void {
    this.#picture.element.hidden = !allowed;
    if (!allowed) {
      this.#picture.clear();
    }
  }

  get isBlank(): boolean {
    return this.input.value.trim() === "" && this.#picture.picture === null;
  }

  #submit(): void {
    if (this.isBlank) {
      this.input.focus();
      return;
    }
    if (this.#holds(this.#sending)) {
      // Pressed twice.
      return;
    }
    const { picture } = this.#picture;
    const written: Written = { text: this.input.value.trim(), ...(picture && { picture }) };
    this.#sending = written;
    void this.options.send(written).then((worked) => {
      // What was written meanwhile stays.
      if (worked && this.#holds(written)) {
        this.input.value = "";
        this.#picture.clear();
      }
      if (this.#sending === written) {
        this.#sending = null;
      }
      if (worked) {
        this.options.sent?.();
      }
    });
  }

  #holds(written: Written | null): boolean {
    return (
      written !== null &&
      this.input.value.trim() === written.text &&
      this.#picture.picture === (written.picture ?? null)
    );
  }
}

/** An input whose placeholder can be cut off. */
export function titledInput(label: string, entered?: () => void): HTMLInputElement {
  const input = textInput(label, entered);
  input.title = label;
  return input;
}
