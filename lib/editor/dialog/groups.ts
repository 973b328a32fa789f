import type { PropertyDefinition } from "./node-definition";
import type { Dialog } from "./dialog";

/**
 * Opens each folded group (`<details>`) with a changed or invalid setting, so that every setting with an effect is
 * visible. Of a group whose summary says what is set (`data-summarised`) only an invalid setting counts. Call it before rows are built: rows are built only in open groups.
 */
export function openGroupsInUse(
  { node, form, input }: Dialog,
  properties: Readonly<Record<string, PropertyDefinition>>,
): void {
  for (const [name, { value, validate }] of Object.entries(properties)) {
    const group = input(name).closest("details:not([open])");
    const held = node[name];
    if (group.length > 0) {
      const isSet = !group.is("[data-summarised]") && held !== undefined && String(held) !== String(value);
      if (isSet || typeof validate?.call(node, held) === "string") {
        group.attr("open", "");
      }
    }
  }
  // The editor marks invalid credentials only after the dialog has been prepared.
  setTimeout(() => form.find(".input-error").closest("details").attr("open", ""));
}
