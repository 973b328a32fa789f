import type { ActionAnswer, SimulatorView } from "../../../lib/shared/simulator-panel";
import { LONGEST_LINE, LONGEST_TEXT, WITH_TEXTS } from "../../../lib/shared/simulator-panel";
import { sharedTexts } from "../../../lib/editor/dialog/texts";
import { get, post } from "../shared/api";
import { deliveryWord, failureText, texts } from "../shared/format";
import { usePoll } from "../shared/use-poll";
import { useSaid } from "../shared/use-said";

/** Actions without a webhook call: their forms show what they did. */
const SHOWN: ReadonlySet<string> = new Set(["next-answer", "normal", "template"]);

/** Runs an action as the recipient. @returns whether it worked */
export type Act = (action: string, input: object) => Promise<boolean>;

/** One fault of an input in one sentence. */
function refusalText(refusal: string, input: object): string {
  const [, reason] = /^number\.(.+)$/.exec(refusal) ?? [];
  if (reason === undefined) {
    return texts(`simulator.refused.${refusal}`, { text: LONGEST_TEXT, line: LONGEST_LINE });
  }
  const number = "sender" in input ? String(input.sender) : "";
  return texts("simulator.refused.number", { number, reason: sharedTexts(`recipients.reason.${reason}`) });
}

/** @param told webhooks that were called */
function doneText(action: string, input: object, told: number): string {
  const number = told === 0 ? "nobody" : told === 1 ? "one" : "many";
  // A status code is no count, which would get a separator.
  const given = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
  const values = { n: told, ...given, status: deliveryWord(given.status ?? "") };
  return texts(`simulator.done.${action}.${number}`, values);
}

/** The messages of a simulated account, and actions as their recipients. */
export function useSimulator(account: string, isActive: boolean, mayAct: boolean) {
  const { data, failure, refresh } = usePoll(account, isActive, () =>
    get<SimulatorView>(account, mayAct ? `simulator/${WITH_TEXTS}` : "simulator"),
  );
  const { said, say } = useSaid();
  const act: Act = async (action, input) => {
    say("");
    try {
      const { told, refused } = await post<ActionAnswer>(account, `simulator/${action}`, input);
      refresh();
      if (refused.length > 0) {
        say(refused.map((each) => refusalText(each, input)).join(" "), true);
        return false;
      }
      if (SHOWN.has(action)) {
        return true;
      }
      // A text that no webhook received stays in its input.
      say(doneText(action, input, told), told === 0);
      return told > 0;
    } catch (problem) {
      say(failureText(problem, "simulator.fault"), true);
      return false;
    }
  };
  return { data, failure, said, say, act };
}
