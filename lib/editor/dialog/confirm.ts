export interface Question {
  readonly question: string;
  /** Labels of the buttons: the one that leaves everything as it is, and the one that does it. */
  readonly no: string;
  readonly yes: string;
}

/** Asks before something that costs money, or that cannot be undone. @param confirmed is called once at most */
export function confirm({ question, no, yes }: Question, confirmed: () => void): void {
  let isAnswered = false;
  // A notice slides out of sight with buttons that still work: another click on them must do nothing.
  const answer = (act: () => void) => (): void => {
    if (!isAnswered) {
      isAnswered = true;
      notice.close();
      act();
    }
  };
  const notice = RED.notify($("<p>").text(question).prop("outerHTML") as string, {
    type: "warning",
    modal: true,
    fixed: true,
    buttons: [
      { text: no, click: answer(() => {}) },
      { text: yes, class: "primary", click: answer(confirmed) },
    ],
  }) as unknown as { close(): void };
}
