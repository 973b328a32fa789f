import { OUTCOMES, type ContentGroup, type Outcome } from "../../shared/outcomes";
import type { TextKey } from "../../texts/catalogues";
import { hasText, say } from "../../texts/say";

/** The columns of the outcome tables that decide the texts. */
export interface OutcomeRow {
  readonly text: string;
  readonly adviceText?: string;
  readonly outcome: Outcome;
}

interface Keys {
  readonly meaning: TextKey;
  /** The row's own advice, if any, and whether sending again is safe, if that matters. */
  readonly advice: readonly TextKey[];
}

const keysOfRows = new Map<string, Keys>();

/** The keys of a row, put together once: each message asks for them. */
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

/** @returns one sentence: what a row of the outcome tables means; narrower for a kind of operation that has its own */
export const meaningOf = (row: OutcomeRow, narrower?: ContentGroup): string =>
  say(
    narrower === undefined ? keysOf(row).meaning : (`outcomes.${row.text}.narrower.${narrower}` as TextKey),
  );

/** @returns what the user does about a row of the outcome tables: one or more sentences */
export function adviceOf(row: OutcomeRow): string {
  const [first, second] = keysOf(row).advice;
  return first === undefined ? "" : second === undefined ? say(first) : `${say(first)} ${say(second)}`;
}
