/** For inputs that the style sheet does not reach. */
export const INPUT_WIDTH = "calc(100% - 159px)";

/** Adds a style sheet once for all bundles. @param id of its element */
export function installStyle(id: string, css: string): void {
  if (document.getElementById(id) === null) {
    $("<style>").attr("id", id).text(css).appendTo(document.head);
  }
}
