import { sharedTexts } from "../dialog/texts";

/**
 * Makes a button copy a text.
 * @param use hands over the text, at once or later
 */
export function prepareCopyButton(button: JQuery, use: (copy: (text: string) => void) => void): void {
  button.on("click", (event) => {
    event.preventDefault();
    // The editor's own way: it also works where the page is not served over https.
    use((text) => RED.clipboard.copyText(text, button as never, sharedTexts("copied")));
  });
}
