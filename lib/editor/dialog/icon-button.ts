/** @param icon of Font Awesome, by its name without `fa-` */
export function iconButton(icon: string, text: string, size: "small" | "usual" = "small"): JQuery {
  const name = size === "small" ? "red-ui-button red-ui-button-small" : "red-ui-button";
  return $("<button>", { type: "button", class: name }).append(
    $("<i>", { class: `fa fa-${icon}`, "aria-hidden": "true" }),
    " ",
    $("<span>").text(text),
  );
}
