/** A warning below an input, hidden until it is shown. @param name a class of its own */
export function warningHint(name: string): { readonly hint: JQuery; readonly words: JQuery } {
  const words = $("<span>");
  const hint = $("<div>", { class: `messaging-hint messaging-warning ${name}`, role: "status" })
    .append($("<i>", { class: "fa fa-exclamation-triangle", "aria-hidden": "true" }), " ", words)
    .hide();
  return { hint, words };
}
