import { texts } from "../activity/formatting";
import { confirm } from "../dialog/confirm";

/** Asks before something that cannot be undone. @param yes label of the button that does it */
export const ask = (question: string, yes: string, confirmed: () => void): void =>
  confirm({ question, no: texts("history.keep"), yes }, confirmed);
