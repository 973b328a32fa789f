import { useState } from "preact/hooks";
import { failureText } from "./format";

/** What an action did, or why it failed. */
export interface Said {
  readonly text: string;
  readonly isWrong: boolean;
}

export function useSaid() {
  const [said, setSaid] = useState<Said>({ text: "", isWrong: false });
  const say = (text: string, isWrong = false): void => setSaid({ text, isWrong });
  /** Shows the text of an action, or why it failed. @returns whether it worked */
  const report = async (action: Promise<string>, toText = failureText): Promise<boolean> => {
    try {
      say(await action);
      return true;
    } catch (failure) {
      say(toText(failure), true);
      return false;
    }
  };
  return { said, say, report };
}
