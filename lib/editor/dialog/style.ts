/** Width of an input beside its label, for those that the style sheet does not reach. */
export const INPUT_WIDTH = "calc(100% - 159px)";

/** Puts a style sheet into the page, once for all bundles that bring it along. @param id of its element */
export function installStyle(id: string, css: string): void {
  if (document.getElementById(id) === null) {
    $("<style>").attr("id", id).text(css).appendTo(document.head);
  }
}
