import { findCharacters, type FoundCharacter, nameCharacter } from "./found-characters";
import { countsTwice, isOutsideGsm, measureSms } from "../../shared/sms-segments";
import { currentValue, type Dialog } from "../dialog/dialog";
import type { Texts } from "../dialog/texts";
import { whenChanged } from "../dialog/when-changed";
import type { FilledText } from "../personal-text/filled-text";

const MOST_NAMED = 6;
const LATIN1_ONLY: ReadonlySet<unknown> = new Set(["form", "get"]);

const beyondLatin1 = (character: string): boolean => (character.codePointAt(0) ?? 0) > 0xff;

/** Counts characters and SMS. Personalised texts are counted as filled with the sample. */
export function prepareSmsCounter(
  { node, input, watch }: Dialog,
  texts: Texts,
  fill: (text: string) => FilledText,
): void {
  const say: Texts = (key, values) => texts(`counter.${key}`, values);
  const field = input("messageContent");
  const row = field.closest(".form-row");
  const panel = $("<div>", { class: "messaging-hint messaging-sms-counter" }).appendTo(row);
  const setting = (name: string): unknown => currentValue(node, name);

  const select = ({ character, index }: FoundCharacter): void => {
    const inner = row.find(".red-ui-typedInput-input").trigger("focus")[0] as HTMLInputElement | undefined;
    inner?.setSelectionRange(index, index + character.length);
  };
  /** Names characters of the sent text; typed ones can be selected. */
  const named = (key: string, found: readonly FoundCharacter[], typed: string): JQuery => {
    const line = $("<div>", { class: "messaging-characters" }).append($("<span>").text(say(key)));
    for (const { character } of found.slice(0, MOST_NAMED)) {
      const index = typed.indexOf(character);
      const name = nameCharacter(character);
      const button = $("<button>", { type: "button", class: "red-ui-button red-ui-button-small" })
        .text(name)
        .attr("title", say("select"))
        .on("click", () => select({ character, index }));
      line.append(index === -1 ? $("<span>").text(name) : button);
    }
    if (found.length > MOST_NAMED) {
      line.append($("<span>").text(say("more", { n: found.length - MOST_NAMED })));
    }
    return line;
  };
  const lines = (typed: string, { text, personal, exact }: FilledText): JQuery[] => {
    const choice = String(setting("interface"));
    // Without its values only the typed text is known.
    const refused = LATIN1_ONLY.has(choice) ? findCharacters(exact ? text : typed, beyondLatin1) : [];
    const refusedLine =
      refused.length > 0 ? [named(`refused.${choice}`, refused, typed).addClass("messaging-bad")] : [];
    if (!exact) {
      return [$("<div>").text(say("open")), ...refusedLine];
    }
    const { encoding, characters, segments, left } = measureSms(text);
    const counted = say(characters === 1 ? "character" : "characters", { n: characters });
    const forSample = (size: string): JQuery => $("<div>").text(personal ? say("sample", { size }) : size);
    if (setting("messageTypeSource") === "choice" && setting("messageType") === "voice") {
      return [forSample(counted), ...refusedLine];
    }
    const long = findCharacters(text, encoding === "gsm" ? countsTwice : isOutsideGsm);
    return [
      forSample(say(`size.${encoding}`, { characters: counted, segments, left })),
      ...(long.length > 0 ? [named(`long.${encoding}`, long, typed)] : []),
      ...refusedLine,
    ];
  };
  const draw = whenChanged(
    ({ text, filled }: { text: string | null; filled: FilledText; settings: readonly unknown[] }) => {
      panel.empty().toggle(text !== null);
      if (text !== null) {
        panel.append(...lines(text, filled));
      }
    },
  );
  watch(() => {
    const text = String(field.typedInput("value"));
    draw({
      text: setting("messageContentSource") === "str" ? text : null,
      filled: fill(text),
      settings: ["interface", "messageTypeSource", "messageType"].map(setting),
    });
  });
}
