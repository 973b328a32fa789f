import css from "./style.css";

/** Width of an input beside its label, for those that the style sheet does not reach. */
export const INPUT_WIDTH = "calc(100% - 159px)";

const ID = "messaging-dialog-style";

/** Puts the style of our dialogs into the page, once for all nodes that bring it along. */
export function installStyle(): void {
  if (document.getElementById(ID) === null) {
    $("<style>").attr("id", ID).text(css).appendTo(document.head);
  }
}
