import type { EditorPage } from "./editor";

/** How a dialog opened. */
export interface Opening {
  /** Milliseconds from the call that opens the dialog until it is built and laid out, and the page is free for input. */
  readonly built: number;
  readonly inputs: number;
  /** Inputs of rows that are out of sight. */
  readonly unseen: number;
}

const OPEN = `(id) => new Promise((resolve) => {
  const start = performance.now();
  RED.editor.edit(RED.nodes.node(id));
  setTimeout(() => {
    document.querySelector("#dialog-form").getBoundingClientRect();
    const built = performance.now() - start;
    const inputs = [...document.querySelectorAll("#dialog-form .red-ui-typedInput-container")];
    const unseen = inputs.filter((input) => input.closest("details:not([open]), [style*='display: none']") !== null);
    resolve({ built, inputs: inputs.length, unseen: unseen.length });
  });
})`;

/** Opens the dialog of a node, and waits until it stands still. */
export async function openDialog(editor: EditorPage, id: string): Promise<Opening> {
  const opening = await editor.page.evaluate<Opening>(`(${OPEN})("${id}")`);
  await editor.opened();
  return opening;
}
