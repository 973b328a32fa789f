import type { PanelCard, PanelMessage, PanelSuggestion } from "../../../shared/simulator-panel";
import { button, el, icon } from "../dom";
import { texts } from "../formatting";
import { joined, quiet } from "../parts";
import { fullText } from "./simulator-text";

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
  const made = button({ icon: action === null ? "reply" : (ICONS[action] ?? "bolt"), text: ` ${text}` }, () =>
    tap?.(suggestion),
  );
  made.classList.add("messaging-simulator-suggestion");
  made.disabled = tap === null;
  const does = action === null ? "" : `${action}${target === null ? "" : `: ${target}`}`;
  made.title = joined(texts("simulator.tap"), does, !heard && texts("simulator.notHeard"));
  return made;
}
