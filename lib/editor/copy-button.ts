import { sharedTexts } from "./texts";

/** Makes a button copy what an input shows. */
export function prepareCopyButton(button: JQuery, input: JQuery): void {
  button.on("click", (event) => {
    event.preventDefault();
    const text = String(input.val());
    // The editor's own way: it also works where the page is not served over https.
    RED.clipboard.copyText(text, button as never, sharedTexts("copied"));
  });
}
