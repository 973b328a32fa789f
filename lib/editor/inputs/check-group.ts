export interface CheckBox {
  readonly value: string;
  readonly label: string;
  /** For screen readers. */
  readonly title?: string;
  readonly isOwnLine?: boolean;
}

/** @param input the hidden input of the property, which keeps values without a box */
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
