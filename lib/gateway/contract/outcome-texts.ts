import { OUTCOMES, type ContentGroup, type Outcome } from "../../shared/outcomes";
import type { TextKey } from "../../texts/catalogues";
import { hasText, say } from "../../texts/say";

/** The columns of the outcome tables that decide the texts. */
export interface OutcomeRow {
  readonly text: string;
  readonly adviceText?: string;
  readonly outcome: Outcome;
}

const adviceKeys = new Map<string, readonly TextKey[]>();

/** Keys of the advice: the row's own, if any, and whether sending again is safe, if that matters. */
function findAdviceKeys({ text, adviceText = text, outcome }: OutcomeRow): readonly TextKey[] {
  let keys = adviceKeys.get(text);
  if (keys === undefined) {
    const again = OUTCOMES[outcome].resend;
    keys = [`outcomes.${adviceText}.advice`, `outcomes.send.${again}`].filter(hasText);
    adviceKeys.set(text, keys);
  }
  return keys;
}

/** @returns one sentence: what a row of the outcome tables means; narrower for a kind of operation that has its own */
export function meaningOf({ text }: OutcomeRow, narrower?: ContentGroup): string {
  const path = narrower === undefined ? "meaning" : `narrower.${narrower}`;
  return say(`outcomes.${text}.${path}` as TextKey);
}

/** @returns what the user does about a row of the outcome tables: one or more sentences */
export function adviceOf(row: OutcomeRow): string {
  const [first, second] = findAdviceKeys(row);
  return first === undefined ? "" : second === undefined ? say(first) : `${say(first)} ${say(second)}`;
}
