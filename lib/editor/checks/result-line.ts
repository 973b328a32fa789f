/** How good or bad a line of resultLines is. */
export type Grade = "ok" | "warning" | "failed" | "skipped" | "running";

const ICON: Readonly<Record<Grade, string>> = {
  ok: "fa-check-circle",
  warning: "fa-exclamation-triangle",
  failed: "fa-times-circle",
  skipped: "fa-minus-circle",
  running: "fa-spinner fa-pulse",
};

/** One line of resultLines: a title, what was found, and small print. Texts are shown as they are, never as HTML. */
export function resultLine(grade: Grade, title: string, text = "", detail = ""): JQuery {
  const line = $("<li>", { class: `messaging-resultLine messaging-resultLine-${grade}` });
  $("<i>", { class: `messaging-resultLine-icon fa ${ICON[grade]}`, "aria-hidden": "true" }).appendTo(line);
  const words = $("<div>").appendTo(line);
  $("<b>").text(title).appendTo(words);
  if (text !== "") {
    words.append(" ", $("<span>").text(text));
  }
  if (detail !== "") {
    $("<div>", { class: "messaging-resultLine-detail" }).text(detail).appendTo(words);
  }
  return line;
}

/** The list that resultLines are put into; read out when it changes. */
export const resultLines = (): JQuery => $("<ul>", { class: "messaging-resultLines", "aria-live": "polite" });
