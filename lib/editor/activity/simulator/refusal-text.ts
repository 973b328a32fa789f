import { LONGEST_LINE, LONGEST_TEXT, type PanelRefusal } from "../../../shared/simulator-panel";
import { sharedTexts } from "../../dialog/texts";
import { texts } from "../formatting";

/** One fault of an input in one sentence. @param input of the action */
export function refusalText(refusal: PanelRefusal, input: object): string {
  const [, reason] = /^number\.(.+)$/.exec(refusal) ?? [];
  if (reason === undefined) {
    return texts(`simulator.refused.${refusal}`, { text: LONGEST_TEXT, line: LONGEST_LINE });
  }
  const number = "sender" in input ? String(input.sender) : "";
  return texts("simulator.refused.number", { number, reason: sharedTexts(`recipients.reason.${reason}`) });
}
