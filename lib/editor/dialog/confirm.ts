export interface Question {
  readonly question: string;
  readonly no: string;
  readonly yes: string;
}

/** @param confirmed called at most once */
export function confirm({ question, no, yes }: Question, confirmed: () => void): void {
  let isAnswered = false;
  // The buttons still work while the notice slides away, so a second click is ignored.
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
