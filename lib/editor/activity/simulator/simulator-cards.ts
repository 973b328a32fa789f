import type { PanelCard, PanelMessage, PanelSuggestion } from "../../../shared/simulator-panel";
import { button, el, icon } from "../dom";
import { texts } from "../formatting";
import { joined, quiet } from "../parts";
import { excerpt } from "../../../shared/excerpt";

/** Characters that are shown before the user unfolds a text. */
const BEGINNING = 240;

/** A text with its line breaks; a long one shows its beginning, and all of it by a button. */
export function fullText(text: string): HTMLElement {
  const shown = el("span", "", excerpt(text, BEGINNING));
  const element = el("div", "messaging-activity-text", shown);
  if (text.length > BEGINNING) {
    let whole = false;
    const toggle = button({ text: texts("simulator.showAll") }, () => {
      whole = !whole;
      shown.textContent = whole ? text : excerpt(text, BEGINNING);
      toggle.textContent = texts(whole ? "simulator.showLess" : "simulator.showAll");
      toggle.setAttribute("aria-expanded", String(whole));
    });
    toggle.setAttribute("aria-expanded", "false");
    element.append(" ", toggle);
  }
  return element;
}

/** Taps a suggestion; null where the user may not act. */
export type Tap = ((suggestion: PanelSuggestion) => void) | null;

const ICONS: Readonly<Record<string, string>> = {
  openUrl: "external-link",
  dialPhoneNumber: "phone",
  dialEnrichedCall: "phone",
  dialVideoCall: "video-camera",
  showLocation: "map-marker",
  requestLocationPush: "map-marker",
  createCalendarEvent: "calendar",
  composeTextMessage: "pencil",
  composeRecordingMessage: "microphone",
};

/** Cards and suggestions of an RCS message, in the order of the phone. */
export function buildCards({ cards, suggestions }: PanelMessage, tap: Tap): readonly HTMLElement[] {
  return [...cards.map((card) => buildCard(card, tap)), ...buildSuggestions(suggestions, tap)];
}

function buildCard({ title, description, picture, suggestions }: PanelCard, tap: Tap): HTMLElement {
  return el(
    "div",
    "messaging-simulator-card",
    picture ? quiet(icon("picture-o"), ` ${texts("simulator.picture.shown")}`) : null,
    title === "" ? null : el("div", "messaging-simulator-title", title),
    description === "" ? null : fullText(description),
    ...buildSuggestions(suggestions, tap),
  );
}

function buildSuggestions(suggestions: readonly PanelSuggestion[], tap: Tap): readonly HTMLElement[] {
  const buttons = suggestions.map((each) => buildSuggestion(each, tap));
  return buttons.length === 0 ? [] : [el("div", "messaging-simulator-suggestions", ...buttons)];
}

function buildSuggestion(suggestion: PanelSuggestion, tap: Tap): HTMLElement {
  const { text, action, target, heard } = suggestion;
  const made = button({ icon: action === null ? "reply" : (ICONS[action] ?? "bolt"), text }, () =>
    tap?.(suggestion),
  );
  made.classList.add("messaging-simulator-suggestion");
  made.disabled = tap === null;
  const does = action === null ? "" : `${action}${target === null ? "" : `: ${target}`}`;
  made.title = joined(texts("simulator.tap"), does, !heard && texts("simulator.notHeard"));
  return made;
}
