import { LARGEST_PICTURE, type PanelPicture, PICTURE_TYPES } from "../../../shared/simulator-panel";
import { button, el, icon } from "../dom";
import { texts } from "../formatting";

/** Why a file is no picture for a message; also the key of its text. */
type PictureFault = "type" | "size" | "unreadable";

/** Chooses the picture of a simulated inbound message: a file, or the sample of the simulator. */
export class PicturePicker {
  readonly element = el("div", "messaging-simulator-picture");
  readonly #file = el("input");
  #picture: PanelPicture | null = null;
  /** A file that is read while something else is chosen comes too late. */
  #choices = 0;

  /** @param complain shows why a file is not taken; a blank text clears that */
  constructor(private readonly complain: (text: string) => void) {
    this.#file.type = "file";
    this.#file.accept = PICTURE_TYPES.join(",");
    this.#file.hidden = true;
    this.#file.setAttribute("aria-label", texts("simulator.picture.choose"));
    this.#file.addEventListener("change", () => void this.#read());
    this.#show();
  }

  get picture(): PanelPicture | null {
    return this.#picture;
  }

  clear(): void {
    this.#choose(null);
  }

  async #read(): Promise<void> {
    const [file] = this.#file.files ?? [];
    this.#file.value = "";
    if (file === undefined) {
      return;
    }
    const choice = ++this.#choices;
    const picture = await pictureOf(file);
    if (choice !== this.#choices) {
      return;
    }
    if (typeof picture === "string") {
      this.complain(texts(`simulator.picture.${picture}`, { mib: LARGEST_PICTURE / 1_048_576 }));
    } else {
      this.complain("");
      this.#choose(picture);
    }
  }

  #choose(picture: PanelPicture | null): void {
    const inside = this.element.contains(document.activeElement);
    this.#choices++;
    this.#picture = picture;
    this.#show();
    if (inside) {
      this.element.querySelector("button")?.focus();
    }
  }

  #show(): void {
    const picture = this.#picture;
    if (picture === null) {
      this.element.replaceChildren(
        button({ icon: "picture-o", text: texts("simulator.picture.choose") }, () => this.#file.click()),
        button({ text: texts("simulator.picture.sample") }, () => this.#choose({ sample: true })),
        this.#file,
      );
      return;
    }
    this.element.replaceChildren(
      el(
        "span",
        "messaging-simulator-file",
        icon("picture-o"),
        ` ${"sample" in picture ? texts("simulator.picture.sample") : picture.fileName}`,
      ),
      button({ icon: "remove", tip: texts("simulator.picture.remove") }, () => this.clear()),
      this.#file,
    );
  }
}

async function pictureOf(file: File): Promise<PanelPicture | PictureFault> {
  const contentType = PICTURE_TYPES.find((type) => type === file.type);
  if (contentType === undefined) {
    return "type";
  }
  if (file.size === 0 || file.size > LARGEST_PICTURE) {
    return "size";
  }
  const url = await dataUrlOf(file);
  return url === null
    ? "unreadable"
    : { contentType, fileName: file.name.slice(-255), base64: url.slice(url.indexOf(",") + 1) };
}

function dataUrlOf(file: File): Promise<string | null> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => resolve(null));
    reader.readAsDataURL(file);
  });
}
