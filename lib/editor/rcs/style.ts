import css from "./rcs.css";

const ID = "messaging-rcs-style";

/** Puts the style of composer and preview into the page, once. */
export function installRcsStyle(): void {
  if (document.getElementById(ID) === null) {
    $("<style>").attr("id", ID).text(css).appendTo(document.head);
  }
}
