import type { Dialog } from "./dialog";

/**
 * Shows each element with `data-when="property=value|value other=value"` only while all its conditions hold.
 * Properties are those with a select in the same dialog.
 */
export function watchConditions({ form, input, buildShown }: Dialog): void {
  const conditional = form
    .find("[data-when]")
    .toArray()
    .map((element) => ({
      element,
      conditions: (element.dataset.when ?? "").split(" ").map((term) => term.split("=")),
    }));
  const update = (): void => {
    for (const { element, conditions } of conditional) {
      const holds = conditions.every(([property = "", values = ""]) =>
        values.split("|").includes(String(input(property).val())),
      );
      element.style.display = holds ? "" : "none";
    }
    buildShown();
  };
  form.on("change", "select", update);
  update();
}
