/** How good or bad a line of findings is. */
export type Grade = "ok" | "warning" | "failed" | "skipped" | "running";

const ICON: Readonly<Record<Grade, string>> = {
  ok: "fa-check-circle",
  warning: "fa-exclamation-triangle",
  failed: "fa-times-circle",
  skipped: "fa-minus-circle",
  running: "fa-spinner fa-pulse",
};

/** One line of findings: a title, what was found, and small print. Texts are shown as they are, never as HTML. */
export function finding(grade: Grade, title: string, text = "", detail = ""): JQuery {
  const line = $("<li>", { class: `messaging-finding messaging-finding-${grade}` });
  $("<i>", { class: `messaging-finding-icon fa ${ICON[grade]}`, "aria-hidden": "true" }).appendTo(line);
  const words = $("<div>").appendTo(line);
  $("<b>").text(title).appendTo(words);
  if (text !== "") {
    words.append(" ", $("<span>").text(text));
  }
  if (detail !== "") {
    $("<div>", { class: "messaging-finding-detail" }).text(detail).appendTo(words);
  }
  return line;
}

/** The list that findings are put into; read out when it changes. */
export const findings = (): JQuery => $("<ul>", { class: "messaging-findings", "aria-live": "polite" });
