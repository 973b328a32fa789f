import type { PropertyDefinition } from "./node-definition";
import type { Dialog } from "./dialog";

/**
 * Opens each folded group (`<details>`) that holds a setting other than its initial one or a faulty input: what
 * has an effect must be in sight.
 */
export function openGroupsInUse(
  { node, form, input }: Dialog,
  properties: Readonly<Record<string, PropertyDefinition>>,
): void {
  const used = Object.entries(properties).filter(
    ([name, { value }]) => node[name] !== undefined && String(node[name]) !== String(value),
  );
  for (const [name] of used) {
    input(name).closest("details").attr("open", "");
  }
  // The editor marks faulty inputs only after the dialog has been prepared.
  setTimeout(() => form.find(".input-error").closest("details").attr("open", ""));
}
