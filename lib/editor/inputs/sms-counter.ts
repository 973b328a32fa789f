import { findCharacters, type FoundCharacter, nameCharacter } from "./found-characters";
import { countsTwice, isOutsideGsm, measureSms } from "../../shared/sms-segments";
import { currentValue, type Dialog } from "../dialog/dialog";
import type { Texts } from "../dialog/texts";

/** Characters of a kind that are named; the others are only counted. */
const MOST_NAMED = 6;
const LATIN1_ONLY: ReadonlySet<unknown> = new Set(["form", "get"]);

/** What a template node would fill in. A typed text is sent as it stands. */
const PLACEHOLDER = /\{\{.*?\}\}/s;

const beyondLatin1 = (character: string): boolean => (character.codePointAt(0) ?? 0) > 0xff;

/** Shows characters and SMS of a typed text below its input, the characters that need more room, and braces that nobody fills in. */
export function prepareSmsCounter({ node, input, watch }: Dialog, texts: Texts): void {
  const say: Texts = (key, values) => texts(`counter.${key}`, values);
  const field = input("messageContent");
  const row = field.closest(".form-row");
  const panel = $("<div>", { class: "messaging-hint messaging-sms-counter" }).appendTo(row);
  const setting = (name: string): unknown => currentValue(node, name);

  const select = ({ character, index }: FoundCharacter): void => {
    const inner = row.find(".red-ui-typedInput-input").trigger("focus")[0] as HTMLInputElement | undefined;
    inner?.setSelectionRange(index, index + character.length);
  };
  const named = (key: string, found: readonly FoundCharacter[]): JQuery => {
    const line = $("<div>", { class: "messaging-characters" }).append($("<span>").text(say(key)));
    for (const one of found.slice(0, MOST_NAMED)) {
      $("<button>", { type: "button", class: "red-ui-button red-ui-button-small" })
        .text(nameCharacter(one.character))
        .attr("title", say("select"))
        .on("click", () => select(one))
        .appendTo(line);
    }
    if (found.length > MOST_NAMED) {
      line.append($("<span>").text(say("more", { n: found.length - MOST_NAMED })));
    }
    return line;
  };
  const lines = (text: string): JQuery[] => {
    const { encoding, characters, segments, left } = measureSms(text);
    const counted = say(characters === 1 ? "character" : "characters", { n: characters });
    const choice = String(setting("interface"));
    const refused = LATIN1_ONLY.has(choice) ? findCharacters(text, beyondLatin1) : [];
    const braces = PLACEHOLDER.test(text) ? [$("<div>", { class: "messaging-bad" }).text(say("braces"))] : [];
    const refusedLine =
      refused.length > 0 ? [named(`refused.${choice}`, refused).addClass("messaging-bad")] : [];
    if (setting("messageTypeSource") === "choice" && setting("messageType") === "voice") {
      return [$("<div>").text(counted), ...braces, ...refusedLine];
    }
    const long = findCharacters(text, encoding === "gsm" ? countsTwice : isOutsideGsm);
    return [
      $("<div>").text(say(`size.${encoding}`, { characters: counted, segments, left })),
      ...braces,
      ...(long.length > 0 ? [named(`long.${encoding}`, long)] : []),
      ...refusedLine,
    ];
  };
  let shown = "";
  const update = (): void => {
    const typed = setting("messageContentSource") === "str";
    const text = String(field.typedInput("value"));
    const state = JSON.stringify([
      typed,
      text,
      ...["interface", "messageTypeSource", "messageType"].map(setting),
    ]);
    // A button that is replaced under the mouse would lose the click.
    if (state !== shown) {
      shown = state;
      panel.empty().toggle(typed);
      if (typed) {
        panel.append(...lines(text));
      }
    }
  };
  watch(update);
  update();
}
