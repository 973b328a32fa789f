/** One box of a group. */
export interface CheckBox {
  readonly value: string;
  readonly label: string;
  /** What a screen reader says, where the label is short. */
  readonly title?: string;
  /** A sentence, which stands in a line of its own. */
  readonly isOwnLine?: boolean;
}

/**
 * Fills an element with check boxes.
 * @param input of the property, which is hidden; values that have no box stay in it
 */
export function prepareCheckGroup(element: JQuery, input: JQuery, boxes: readonly CheckBox[]): void {
  const valuesOf = (): string[] =>
    String(input.val() ?? "")
      .split(/[\s,;]+/)
      .filter((value) => value !== "");
  const checks = boxes.map(({ value, label, title, isOwnLine = false }) => {
    const check = $("<input>", { type: "checkbox", value, ...(title && { "aria-label": title, title }) });
    $("<label>")
      .append(check, $("<span>").text(label))
      .toggleClass("messaging-own-line", isOwnLine)
      .appendTo(element);
    check.on("change", () => {
      const isChecked = (each: string): boolean =>
        checks.some((one) => one.val() === each && one.prop("checked") === true);
      const known = boxes.map((box) => box.value);
      const others = valuesOf().filter((each) => !known.includes(each));
      input.val([...known.filter(isChecked), ...others].join(",")).trigger("change");
    });
    return check.prop("checked", valuesOf().includes(value));
  });
}
