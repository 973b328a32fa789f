import { sharedTexts } from "../dialog/texts";

/** @param use calls `copy` with the text, at once or later */
export function prepareCopyButton(button: JQuery, use: (copy: (text: string) => void) => void): void {
  button.on("click", (event) => {
    event.preventDefault();
    // The clipboard of the editor also works on pages without https.
    use((text) => RED.clipboard.copyText(text, button as never, sharedTexts("copied")));
  });
}
