import type { Dialog } from "./dialog";

/** Each property has one of its values. */
type Conditions = readonly (readonly [property: string, values: readonly string[]])[];

const read = (written: string): Conditions =>
  written.split(" ").map((term) => {
    const [property = "", values = ""] = term.split("=");
    return [property, values.split("|")];
  });

/**
 * Shows each element with `data-when="property=value|value other=value"` only while all its conditions hold.
 * Each property has a select in the same dialog.
 */
export function watchConditions({ form, input, buildShown }: Dialog): void {
  const conditional = form
    .find("[data-when]")
    .toArray()
    .map((element) => ({ element, conditions: read(element.dataset.when ?? "") }));
  const update = (): void => {
    for (const { element, conditions } of conditional) {
      const holds = conditions.every(([property, values]) => values.includes(String(input(property).val())));
      element.style.display = holds ? "" : "none";
    }
    buildShown();
  };
  form.on("change", "select", update);
  update();
}
