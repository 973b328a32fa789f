import { el } from "../activity/dom";
import { texts } from "../activity/formatting";

/** Asks before something that cannot be undone. @param yes label of the button that does it */
export function confirm(question: string, yes: string, confirmed: () => void): void {
  const notice = RED.notify(el("p", "", question).outerHTML, {
    type: "warning",
    modal: true,
    fixed: true,
    buttons: [
      { text: texts("history.keep"), click: () => notice.close() },
      {
        text: yes,
        class: "primary",
        click: () => {
          notice.close();
          confirmed();
        },
      },
    ],
  }) as unknown as { close(): void };
}
