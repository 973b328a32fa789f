import type { Dialog } from "./dialog";

/** One way to fulfil conditions: each property has one of its values. */
type Conditions = readonly (readonly [property: string, values: readonly string[]])[];

const read = (written: string): readonly Conditions[] =>
  written.split(" or ").map((terms) =>
    terms.split(" ").map((term) => {
      const [property = "", values = ""] = term.split("=");
      return [property, values.split("|")];
    }),
  );

/**
 * Shows each element with `data-when="property=value|value other=value or third=value"` only while all its conditions hold, or all of
 * those behind an `or`. Properties are those with a select in the same dialog.
 */
export function watchConditions({ form, input, buildShown }: Dialog): void {
  const conditional = form
    .find("[data-when]")
    .toArray()
    .map((element) => ({ element, ways: read(element.dataset.when ?? "") }));
  const update = (): void => {
    for (const { element, ways } of conditional) {
      const holds = ways.some((conditions) =>
        conditions.every(([property, values]) => values.includes(String(input(property).val()))),
      );
      element.style.display = holds ? "" : "none";
    }
    buildShown();
  };
  form.on("change", "select", update);
  update();
}
