import { isZone } from "../../shared/schedule/zoned-time";

const MOST_SHOWN = 60;

let zones: readonly string[] | null = null;

function allZones(): readonly string[] {
  zones ??= ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
  return zones;
}

/** The time zones whose name contains a text, for Node-RED's autocompletion. A blank is as good as the underscore of the names. */
function searchZones(typed: string): { value: string; label: string }[] {
  const text = typed.trim().toLowerCase().replaceAll(" ", "_");
  return allZones()
    .filter((zone) => zone.toLowerCase().includes(text))
    .slice(0, MOST_SHOWN)
    .map((zone) => ({ value: zone, label: zone }));
}

/** The name of a time zone as it is spelled; the text itself where it is none. */
function spelled(typed: string): string {
  const text = typed.trim().replaceAll(" ", "_");
  return allZones().find((zone) => zone.toLowerCase() === text.toLowerCase()) ?? typed.trim();
}

/** Makes a text input one for a time zone, found by a part of its name. */
export function prepareZoneInput(input: JQuery): void {
  input.autoComplete({ search: searchZones, minLength: 1 });
  input.on("change", () => {
    const typed = String(input.val() ?? "");
    if (spelled(typed) !== typed) {
      input.val(spelled(typed)).trigger("change");
    }
  });
}

/** Whether a text is blank or a time zone. */
export const isZoneOrBlank = (typed: string): boolean => typed.trim() === "" || isZone(typed.trim());
