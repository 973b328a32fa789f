import { useState } from "preact/hooks";
import { excerpt } from "../../../lib/shared/excerpt";
import type { PanelCard, PanelMessage, PanelSuggestion } from "../../../lib/shared/simulator-panel";
import { joined, texts } from "../shared/format";
import { Button, Icon, Quiet } from "../shared/parts";

/** Characters of a text that are shown before the user unfolds it. */
const MAX_FOLDED = 240;

/** A text with its line breaks; a long one can be unfolded. */
export function FullText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <div class="messaging-text">
      {isWhole ? text : excerpt(text, MAX_FOLDED)}{" "}
      {text.length > MAX_FOLDED && (
        <button
          type="button"
          class="red-ui-button red-ui-button-small"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {texts(isWhole ? "simulator.showLess" : "simulator.showAll")}
        </button>
      )}
    </div>
  );
}

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

/** Taps a suggestion; null for a user who may not act. */
type Tap = ((suggestion: PanelSuggestion) => void) | null;

function Suggestions({ suggestions, tap }: { suggestions: readonly PanelSuggestion[]; tap: Tap }) {
  if (suggestions.length === 0) {
    return null;
  }
  return (
    <div class="messaging-buttons">
      {suggestions.map((suggestion) => {
        const { index, text, action, target, heard } = suggestion;
        const does = action === null ? "" : `${action}${target === null ? "" : `: ${target}`}`;
        return (
          <Button
            key={index}
            class="messaging-suggestion"
            icon={action === null ? "reply" : (ICONS[action] ?? "bolt")}
            text={text}
            tip={joined(texts("simulator.tap"), does, !heard && texts("simulator.notHeard"))}
            disabled={tap === null}
            onPress={() => tap?.(suggestion)}
          />
        );
      })}
    </div>
  );
}

function Card({ card, tap }: { readonly card: PanelCard; readonly tap: Tap }) {
  const { title, description, picture, suggestions } = card;
  return (
    <div class="messaging-card">
      {picture && (
        <Quiet>
          <Icon name="picture-o" /> {texts("simulator.picture.shown")}
        </Quiet>
      )}
      {title !== "" && <b>{title}</b>}
      {description !== "" && <FullText text={description} />}
      <Suggestions suggestions={suggestions} tap={tap} />
    </div>
  );
}

/** Cards and suggestions of an RCS message, in the order of the phone. */
export const Cards = ({ message, tap }: { readonly message: PanelMessage; readonly tap: Tap }) => (
  <>
    {message.cards.map((card, at) => (
      <Card key={`${at} ${card.title}`} card={card} tap={tap} />
    ))}
    <Suggestions suggestions={message.suggestions} tap={tap} />
  </>
);
