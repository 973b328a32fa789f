import type { Dialog } from "./dialog";

/**
 * Shows each element with `data-when="property=value|value other=value"` only while all its conditions hold.
 * Properties are those with a select in the same dialog.
 */
export function watchConditions({ form, input }: Dialog): void {
  const conditional = form.find("[data-when]");
  const update = (): void => {
    conditional.each((_at, element) => {
      const conditions = (element.dataset.when ?? "").split(" ").map((term) => term.split("="));
      $(element).toggle(
        conditions.every(([property = "", values = ""]) =>
          values.split("|").includes(String(input(property).val())),
        ),
      );
    });
  };
  form.on("change", "select", update);
  update();
}
