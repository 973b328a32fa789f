import { formatMoment } from "../dialog/locale";
import { CONTENT_CATEGORIES } from "../../shared/fields/content-categories";
import { DAYS, readPeriod, type TypedPeriod } from "../../shared/schedule/weekly-hours";
import { currentValue, type Dialog } from "../dialog/dialog";
import type { EditedNode, Validate } from "../dialog/node-definition";
import type { Texts } from "../dialog/texts";
import { prepareCheckGroup } from "../inputs/check-group";
import { check } from "../inputs/faults";
import { isZoneOrBlank, prepareZoneInput } from "../inputs/zone-input";

/** A Monday. */
const MONDAY = Date.UTC(2026, 5, 1);
const DAY = 86_400_000;

function faultIn(part: Partial<TypedPeriod>): string | null {
  const read = readPeriod({ days: "mon", from: "00:00", to: "24:00", ...part });
  return read.ok ? null : read.fault;
}

/** The checks apply only if there are sending hours. */
export function sendingHoursChecks(texts: Texts): Readonly<Record<string, Validate>> {
  const checkHours = (
    name: string,
    findFault: (value: string, node: EditedNode) => string | null,
  ): Validate =>
    check(
      () => texts(`field.${name}`),
      (value, node) => {
        const isOn = currentValue(node, "sendingHours") === true;
        const fault = isOn ? findFault(value, node) : null;
        return fault === null ? null : texts(`fault.hours.${fault}`);
      },
    );
  return {
    sendingDays: checkHours("sendingDays", (days) => faultIn({ days })),
    sendingFrom: checkHours("sendingFrom", (from) => faultIn({ from })),
    sendingTo: checkHours("sendingTo", (to, node) => {
      const from = String(currentValue(node, "sendingFrom"));
      return faultIn(faultIn({ from }) === null ? { from, to } : { to });
    }),
    timeZone: check(
      () => texts("field.timeZone"),
      (value) => (isZoneOrBlank(value) ? null : texts("fault.zone")),
    ),
  };
}

function dayName(day: number, length: "short" | "long"): string {
  return formatMoment(MONDAY + (day - 1) * DAY, { weekday: length, timeZone: "UTC" });
}

function daysText(days: readonly number[]): string {
  const runs: number[][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1) === day - 1) {
      run.push(day);
    } else {
      runs.push([day]);
    }
  }
  return runs
    .map((run) => [run[0] as number, run.at(-1) as number].map((day) => dayName(day, "short")))
    .map(([first, last]) => (first === last ? first : `${first}–${last}`))
    .join(", ");
}

/** Returns the summary of the group; blank without sending hours. */
export function prepareSendingHours({ form, input, watch }: Dialog, texts: Texts): () => readonly string[] {
  const isOn = (): boolean => input("sendingHours").prop("checked") === true;
  const textOf = (name: string): string => String(input(name).val() ?? "").trim();
  const days = DAYS.map((value, at) =>
    value === "sat" || value === "sun"
      ? { value, label: texts(`sendingDays.${value}`), isOwnLine: true }
      : { value, label: dayName(at + 1, "short"), title: dayName(at + 1, "long") },
  );
  prepareCheckGroup(form.find(".messaging-sending-days"), input("sendingDays"), days);
  const categories = CONTENT_CATEGORIES.map((value) => ({ value, label: texts(`sendingExempt.${value}`) }));
  prepareCheckGroup(form.find(".messaging-sending-exempt"), input("sendingExempt"), categories);
  prepareZoneInput(input("timeZone"));
  const rows = form.find(".messaging-sending-hours");
  watch(() => void rows.toggle(isOn()));
  return () => {
    const read = readPeriod({ days: textOf("sendingDays"), from: "00:00", to: "24:00" });
    const days = read.ok ? daysText(read.period.days) : "?";
    return isOn() ? [`${days} ${textOf("sendingFrom")}–${textOf("sendingTo")}`] : [];
  };
}
