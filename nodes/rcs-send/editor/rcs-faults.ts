import { RCS_LIMITS } from "../../../lib/shared/fields/rcs-limits";
import type { LiteralCheck } from "../../../lib/editor/inputs/literal-checks";
import { sharedTexts, type Texts } from "../../../lib/editor/dialog/texts";
import { readCards } from "./card-model";
import { describeFault } from "./inputs";
import { checkCard, checkCardCount, checkSuggestion, checkSuggestionCount, type Fault } from "./limit-checks";
import { readSuggestions, type SuggestionDraft } from "./suggestion-model";

const describeEntry = (n: number, { field, rule, values }: Fault, texts: Texts): string => {
  const words = describeFault({ rule, values: values ?? {} }, texts);
  return sharedTexts("fault.entry", { n, reason: field === "" ? words : `(${field}) ${words}` });
};

function findAmong(drafts: readonly SuggestionDraft[], texts: Texts): string | null {
  for (const [at, draft] of drafts.entries()) {
    const [fault] = checkSuggestion(draft);
    if (fault !== undefined) {
      return describeEntry(at + 1, fault, texts);
    }
  }
  return null;
}

/** The service checks JSON that the composer cannot read. */
export const checkSuggestionsJson =
  (texts: Texts, most: number): LiteralCheck =>
  (json) => {
    const drafts = readSuggestions(json).items ?? [];
    const excess = checkSuggestionCount(drafts.length, most);
    return excess === null ? findAmong(drafts, texts) : describeFault(excess, texts);
  };

export const checkCardsJson =
  (texts: Texts): LiteralCheck =>
  (json) => {
    const { items, fault } = readCards(json);
    if (items === null) {
      const unusable = fault.rule === "not-json" || fault.rule === "not-a-list";
      return unusable ? texts(`composer.reading.${fault.rule}`, fault.values) : null;
    }
    const count = checkCardCount(items.length);
    if (count !== null) {
      return describeFault(count, texts);
    }
    for (const [at, card] of items.entries()) {
      const [first] = checkCard(card, false);
      if (first !== undefined) {
        return describeEntry(at + 1, first, texts);
      }
      const among = findAmong(card.suggestions.slice(0, RCS_LIMITS.cardSuggestions), texts);
      if (among !== null) {
        return sharedTexts("fault.entry", { n: at + 1, reason: `– ${among}` });
      }
    }
    return null;
  };
