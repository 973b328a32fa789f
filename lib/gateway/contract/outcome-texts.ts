import { OUTCOMES, type ContentGroup, type Outcome } from "../../shared/outcomes";
import type { TextKey } from "../../texts/catalogues";
import { hasText, say } from "../../texts/say";

export interface OutcomeRow {
  readonly text: string;
  readonly adviceText?: string;
  readonly outcome: Outcome;
}

interface Keys {
  readonly meaning: TextKey;
  readonly advice: readonly TextKey[];
}

const keysOfRows = new Map<string, Keys>();

/** Caches the keys, because each message needs them. */
function keysOf({ text, adviceText = text, outcome }: OutcomeRow): Keys {
  let keys = keysOfRows.get(text);
  if (keys === undefined) {
    const again = OUTCOMES[outcome].resend;
    keys = {
      meaning: `outcomes.${text}.meaning` as TextKey,
      advice: [`outcomes.${adviceText}.advice`, `outcomes.send.${again}`].filter(hasText),
    };
    keysOfRows.set(text, keys);
  }
  return keys;
}

export const meaningOf = (row: OutcomeRow, narrower?: ContentGroup): string =>
  say(
    narrower === undefined ? keysOf(row).meaning : (`outcomes.${row.text}.narrower.${narrower}` as TextKey),
  );

export function adviceOf(row: OutcomeRow): string {
  const [first, second] = keysOf(row).advice;
  return first === undefined ? "" : second === undefined ? say(first) : `${say(first)} ${say(second)}`;
}
