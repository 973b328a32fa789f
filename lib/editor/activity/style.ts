/** Puts a style sheet into the page, once. @param id of its element */
export function installStyle(id: string, css: string): void {
  if (document.getElementById(id) === null) {
    $("<style>").attr("id", id).text(css).appendTo(document.head);
  }
}
