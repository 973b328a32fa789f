export type Grade = "ok" | "warning" | "failed" | "skipped" | "running";

const ICON: Readonly<Record<Grade, string>> = {
  ok: "fa-check-circle",
  warning: "fa-exclamation-triangle",
  failed: "fa-times-circle",
  skipped: "fa-minus-circle",
  running: "fa-spinner fa-pulse",
};

/** Texts are inserted as text, never as HTML. */
export function resultLine(grade: Grade, title: string, text = "", detail = ""): JQuery {
  const line = $("<li>", { class: `messaging-result-line messaging-result-line-${grade}` });
  $("<i>", { class: `messaging-result-line-icon fa ${ICON[grade]}`, "aria-hidden": "true" }).appendTo(line);
  const body = $("<div>").appendTo(line);
  $("<b>").text(title).appendTo(body);
  if (text !== "") {
    body.append(" ", $("<span>").text(text));
  }
  if (detail !== "") {
    $("<div>", { class: "messaging-result-line-detail" }).text(detail).appendTo(body);
  }
  return line;
}

/** Screen readers read the list out when it changes. */
export const resultLines = (): JQuery =>
  $("<ul>", { class: "messaging-result-lines", "aria-live": "polite" });

/** Scrolls to the results: the pressed button may be the last visible element. */
export function showResultLines(list: JQuery, lines: readonly JQuery[]): void {
  list.empty().append(...lines);
  for (const line of [lines.at(-1), lines[0]]) {
    line?.[0]?.scrollIntoView({ block: "nearest" });
  }
}
