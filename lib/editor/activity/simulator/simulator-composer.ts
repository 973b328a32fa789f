import type { PanelPicture } from "../../../shared/simulator-panel";
import { button, el } from "../dom";
import { texts } from "../formatting";
import { PicturePicker } from "./simulator-picture";

/** What a person writes. */
export interface Written {
  readonly text: string;
  readonly picture?: PanelPicture;
}

export interface ComposerOptions {
  /** Placeholder and name of the input. */
  readonly label: string;
  /** Sends it and returns whether that worked; what worked is cleared. */
  readonly send: (written: Written) => Promise<boolean>;
  readonly complain: (text: string) => void;
}

/** The input of a person's message: a text, a picture, or both. Enter sends. */
export class SimulatorComposer {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  readonly #picture: PicturePicker;

  constructor(private readonly options: ComposerOptions) {
    this.input = textInput(options.label);
    this.#picture = new PicturePicker(options.complain);
    this.input.addEventListener("keydown", ({ key }) => key === "Enter" && this.#submit());
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

  /** An SMS carries no picture. */
  allowPicture(allowed: boolean): void {
    this.#picture.element.hidden = !allowed;
    if (!allowed) {
      this.#picture.clear();
    }
  }

  #submit(): void {
    const text = this.input.value.trim();
    const { picture } = this.#picture;
    if (text === "" && picture === null) {
      this.input.focus();
      return;
    }
    void this.options.send({ text, ...(picture && { picture }) }).then((worked) => {
      if (worked) {
        this.input.value = "";
        this.#picture.clear();
      }
    });
  }
}

/** A one-line input whose keys do not act on the editor. */
export function textInput(label: string): HTMLInputElement {
  const input = el("input");
  input.type = "text";
  input.placeholder = label;
  input.setAttribute("aria-label", label);
  // A placeholder can be cut off.
  input.title = label;
  // Keys of the editor, such as Delete, must not act while the user types.
  input.addEventListener("keydown", (event) => event.stopPropagation());
  return input;
}
