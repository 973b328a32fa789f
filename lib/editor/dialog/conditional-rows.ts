import type { Dialog } from "./dialog";

type Conditions = readonly (readonly [property: string, values: readonly string[]])[];

const read = (written: string): Conditions =>
  written.split(" ").map((term) => {
    const [property = "", values = ""] = term.split("=");
    return [property, values.split("|")];
  });

/** Shows elements with `data-when="property=value|value other=value"` while all conditions hold. */
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
