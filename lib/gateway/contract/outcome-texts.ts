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

const cachedKeys = new Map<string, Keys>();

/** Caches the keys, because each message needs them. */
function getKeys({ text, adviceText = text, outcome }: OutcomeRow): Keys {
  let keys = cachedKeys.get(text);
  if (keys === undefined) {
    const again = OUTCOMES[outcome].resend;
    keys = {
      meaning: `outcomes.${text}.meaning` as TextKey,
      advice: [`outcomes.${adviceText}.advice`, `outcomes.send.${again}`].filter(hasText),
    };
    cachedKeys.set(text, keys);
  }
  return keys;
}

export const getMeaning = (row: OutcomeRow, narrower?: ContentGroup): string =>
  say(
    narrower === undefined ? getKeys(row).meaning : (`outcomes.${row.text}.narrower.${narrower}` as TextKey),
  );

export function getAdvice(row: OutcomeRow): string {
  const [first, second] = getKeys(row).advice;
  return first === undefined ? "" : second === undefined ? say(first) : `${say(first)} ${say(second)}`;
}
