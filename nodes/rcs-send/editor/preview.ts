import { type FieldSpec, isListType, type ListEntry } from "../../../lib/shared/fields/field-spec";
import { describeSource } from "../../../lib/editor/fields/describe-source";
import { type Dialog, heldText } from "../../../lib/editor/dialog/dialog";
import { chosenSource } from "../../../lib/editor/inputs/field-fault";
import { readField } from "../../../lib/editor/inputs/list-input";
import { installStyle } from "../../../lib/editor/dialog/style";
import type { Texts } from "../../../lib/editor/dialog/texts";
import { whenChanged } from "../../../lib/editor/dialog/when-changed";
import type { FilledText } from "../../../lib/editor/personal-text/filled-text";
import { iconButton } from "../../../lib/editor/dialog/icon-button";
import {
  type Held,
  type Preview,
  type PreviewCard,
  type PreviewChip,
  type PreviewPicture,
  toPreview,
  type Shown,
} from "./preview-model";
import css from "./rcs.css";

const CHIP_ICONS: Readonly<Partial<Record<PreviewChip["kind"], string>>> = {
  url: "external-link",
  phone: "phone",
  place: "map-marker",
  coordinates: "map-marker",
  share: "location-arrow",
  calendar: "calendar",
  other: "code",
};

const icon = (name: string): JQuery => $("<i>", { class: `fa fa-${name}`, "aria-hidden": "true" });
const block = (name: string): JQuery => $("<div>", { class: `messaging-phone-${name}` });

const put = (element: JQuery, { text, token }: Shown): JQuery =>
  element.text(text).toggleClass("messaging-phone-token", token);

const chip = ({ kind, text }: PreviewChip): JQuery => {
  const element = $("<span>", { class: "messaging-phone-chip" });
  const name = CHIP_ICONS[kind];
  return element.append(name === undefined ? "" : icon(name), put($("<span>"), text));
};

type Loaded = Map<string, boolean>;

/** Loads the picture only on request, because its server then receives the user's address. */
function pictureBox(picture: PreviewPicture, texts: Texts, loaded: Loaded): JQuery {
  const size = picture.height.replace("_HEIGHT", "").toLowerCase() || "medium";
  const box = block("picture").addClass(`messaging-phone-${size}`);
  const { url, name } = picture;
  const placeholder = (...more: JQuery[]): void => {
    box.empty().append(icon("picture-o"), put($("<span>"), name), ...more);
  };
  const failed = (): JQuery => $("<span>").text(texts("preview.pictureFailed"));
  const load = (address: string): void => {
    loaded.set(address, true);
    const image = $("<img>", { alt: "", referrerpolicy: "no-referrer" });
    image.on("error", () => {
      loaded.set(address, false);
      placeholder(failed());
    });
    box.empty().append(image.attr("src", address));
  };
  if (url === null) {
    placeholder();
  } else if (loaded.get(url) === true) {
    load(url);
  } else if (loaded.get(url) === false) {
    placeholder(failed());
  } else {
    placeholder(iconButton("download", texts("preview.loadPicture")).on("click", () => load(url)));
  }
  return box;
}

function card({ picture, title, description, chips }: PreviewCard, texts: Texts, loaded: Loaded): JQuery {
  const words = block("words");
  if (title !== null) {
    words.append(put(block("title"), title));
  }
  if (description !== null) {
    words.append(put(block("text"), description));
  }
  const buttons = chips.map((each) => block("button").append(chip(each)));
  return block("card").append(
    picture === null ? "" : pictureBox(picture, texts, loaded),
    block("body").append(words, ...buttons),
  );
}

function draw({ bubble, cards, layout, small, chips }: Preview, texts: Texts, loaded: Loaded): JQuery[] {
  const parts: JQuery[] = [];
  if (bubble !== null) {
    const text = put($("<span>"), bubble.text);
    parts.push(block("bubble").append(bubble.icon === null ? "" : icon(bubble.icon), text));
  }
  if (cards.length > 0) {
    const strip = block("cards").addClass(`messaging-phone-layout-${layout.toLowerCase()}`);
    strip.toggleClass("messaging-phone-narrow", small).toggleClass("messaging-phone-many", cards.length > 1);
    parts.push(strip.append(...cards.map((each) => card(each, texts, loaded))));
  }
  if (chips.length > 0) {
    parts.push(block("chips").append(...chips.map(chip)));
  }
  return parts;
}

export function preparePreview(
  dialog: Dialog,
  specs: readonly FieldSpec[],
  texts: Texts,
  fill: (text: string) => FilledText,
): void {
  const { node, form, input, watch } = dialog;
  installStyle("messaging-rcs-style", css);
  const screen = block("screen");
  form.find(".messaging-preview").append(screen);
  const fields = new Map(specs.map((spec) => [spec.name, spec]));
  const held = (name: string): Held => {
    const spec = fields.get(name);
    if (spec === undefined) {
      return { source: "str", value: heldText(dialog, name) };
    }
    const source = chosenSource(node, spec);
    const value = isListType(spec.type) ? readField(node, spec) : heldText(dialog, name);
    if (typeof value !== "string") {
      const filled = (entry: ListEntry) => ({ ...entry, value: fill(entry.value).text });
      return { source, value: value.map((entry) => (entry.source === "str" ? filled(entry) : entry)) };
    }
    return { source, value: source === "str" && spec.type === "text" ? fill(value).text : value };
  };
  const loaded: Loaded = new Map();
  const show = whenChanged((preview: Preview) => screen.empty().append(...draw(preview, texts, loaded)));
  watch(() => show(toPreview(String(input("kind").val()), held, describeSource)));
}
