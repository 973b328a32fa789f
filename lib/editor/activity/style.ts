import css from "./activity.css";

const ID = "messaging-activity-style";

/** Puts the style of the sidebar into the page, once. */
export function installActivityStyle(): void {
  if (document.getElementById(ID) === null) {
    $("<style>").attr("id", ID).text(css).appendTo(document.head);
  }
}
