import { RCS_LIMITS, RCS_WORDS } from "../../../lib/shared/fields/rcs-limits";
import type { Texts } from "../../../lib/editor/dialog/texts";
import { blankCard, type CardDraft, MEDIA_KEYS, type MediaKey } from "./card-model";
import { choiceInput, line, showFaults, storeThen, textInput } from "./inputs";
import { checkCard, checkCardCount } from "./limit-checks";
import { draftList, type Rows, suggestionRows } from "./suggestion-rows";

/** With more cards than this, loaded cards start folded. */
const MOST_OPEN = 2;

interface CardOptions {
  readonly texts: Texts;
  readonly changed: () => void;
  readonly showJson: () => void;
  readonly isSmall: () => boolean;
}

function drawCard(container: JQuery, draft: CardDraft, open: boolean, options: CardOptions): void {
  const { texts, changed, showJson, isSmall } = options;
  const heading = $("<button>", { type: "button", class: "messaging-compose-heading" });
  const body = $("<div>", { class: "messaging-compose-body" });
  const fields = $("<div>");
  const faults = $("<div>");
  const check = (): void => {
    heading.find(".messaging-compose-title").text(draft.title);
    // The list of suggestions shows this error itself.
    const own = checkCard(draft, isSmall()).filter(({ field }) => field !== "suggestions");
    showFaults(faults, fields, own, texts);
  };
  const stored = storeThen(check, changed);
  const fold = (isOpen: boolean): void => {
    body.toggle(isOpen);
    heading.attr("aria-expanded", String(isOpen));
    heading.find(".fa").attr("class", `fa fa-angle-${isOpen ? "down" : "right"}`);
  };
  heading.append(
    $("<i>", { class: "fa", "aria-hidden": "true" }),
    $("<b>", { class: "messaging-compose-number" }),
    $("<span>", { class: "messaging-compose-title" }),
  );
  heading.on("click", (event) => {
    event.preventDefault();
    fold(heading.attr("aria-expanded") !== "true");
  });

  const text = (name: "title" | "description", lines: number): JQuery =>
    textInput(
      {
        name,
        label: texts(`field.${name}`),
        value: draft[name],
        changed: stored((typed) => {
          draft[name] = typed;
        }),
      },
      lines,
    );
  const media = (name: MediaKey): JQuery => {
    const field = {
      name,
      label: texts(`composer.media.${name}`),
      value: draft.media[name],
      changed: stored((typed) => {
        draft.media[name] = typed;
      }),
    };
    if (name !== "height") {
      return textInput(field);
    }
    const heights = RCS_WORDS.mediaHeight.map((each) => [each, texts(`choice.mediaHeight.${each}`)] as const);
    return choiceInput(field, [["", texts("composer.noHeight")], ...heights]);
  };
  const [url, type, size, height, words, ...preview] = MEDIA_KEYS.map(media) as [
    JQuery,
    JQuery,
    JQuery,
    JQuery,
    JQuery,
  ];
  fields.append(
    line(text("title", 1)),
    line(text("description", 2)),
    line(url),
    line(type, size, height),
    line(words),
    line(...preview),
  );
  const list = $("<ol>");
  const label = $("<div>", { class: "messaging-compose-label" }).text(texts("field.cardSuggestions"));
  body.append(fields, faults, label, $("<div>", { class: "messaging-compose-suggestions" }).append(list));
  container.append(heading, body);
  const rows = suggestionRows(list, {
    most: RCS_LIMITS.cardSuggestions,
    texts,
    showJson,
    changed() {
      draft.suggestions = rows.read();
      check();
      changed();
    },
  });
  rows.fill(draft.suggestions);
  container.on("messaging-check", check);
  fold(open);
  check();
}

export function cardRows(
  list: JQuery,
  options: CardOptions,
): Rows<CardDraft> & { readonly check: () => void } {
  const { texts, changed } = options;
  let openLoaded = true;
  const rows: Rows<CardDraft> = draftList(list, {
    add: texts("composer.addCard"),
    blank: blankCard,
    draw(container, draft, isNew) {
      container.addClass("messaging-compose-card");
      drawCard(container, draft, isNew || openLoaded, options);
      if (isNew) {
        container.find("[data-field=title]").trigger("focus");
      }
    },
    count(cards) {
      list
        .find(".messaging-compose-number")
        .each((at, element) => void $(element).text(texts("composer.card", { n: at + 1 })));
      return checkCardCount(cards);
    },
    texts,
    changed,
  });
  return {
    read: rows.read,
    fill(drafts) {
      openLoaded = drafts.length <= MOST_OPEN;
      rows.fill(drafts);
    },
    check: () => void list.find(".messaging-compose-card").trigger("messaging-check"),
  };
}
