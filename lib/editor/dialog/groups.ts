import type { PropertyDefinition } from "./node-definition";
import type { Dialog } from "./dialog";

/**
 * Opens each folded group (`<details>`) that holds a setting other than its initial one or a faulty one: what has
 * an effect must be in sight. Goes before rows are built, which are built only in open groups.
 */
export function openGroupsInUse(
  { node, form, input }: Dialog,
  properties: Readonly<Record<string, PropertyDefinition>>,
): void {
  for (const [name, { value, validate }] of Object.entries(properties)) {
    const group = input(name).closest("details:not([open])");
    const held = node[name];
    if (group.length > 0) {
      const isSet = held !== undefined && String(held) !== String(value);
      if (isSet || typeof validate?.call(node, held) === "string") {
        group.attr("open", "");
      }
    }
  }
  // The editor marks other faulty inputs, those of credentials, only after the dialog has been prepared.
  setTimeout(() => form.find(".input-error").closest("details").attr("open", ""));
}
