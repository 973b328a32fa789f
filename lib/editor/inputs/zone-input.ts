import { isZone } from "../../shared/schedule/zoned-time";

const MOST_SHOWN = 60;

let zones: readonly string[] | null = null;

function allZones(): readonly string[] {
  zones ??= ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
  return zones;
}

/** A blank matches the underscore of the names. */
function searchZones(typed: string): { value: string; label: string }[] {
  const text = typed.trim().toLowerCase().replaceAll(" ", "_");
  return allZones()
    .filter((zone) => zone.toLowerCase().includes(text))
    .slice(0, MOST_SHOWN)
    .map((zone) => ({ value: zone, label: zone }));
}

function spelled(typed: string): string {
  const text = typed.trim().replaceAll(" ", "_");
  return allZones().find((zone) => zone.toLowerCase() === text.toLowerCase()) ?? typed.trim();
}

export function prepareZoneInput(input: JQuery): void {
  input.autoComplete({ search: searchZones, minLength: 1 });
  input.on("change", () => {
    const typed = String(input.val() ?? "");
    if (spelled(typed) !== typed) {
      input.val(spelled(typed)).trigger("change");
    }
  });
}

export const isZoneOrBlank = (typed: string): boolean => typed.trim() === "" || isZone(typed.trim());
