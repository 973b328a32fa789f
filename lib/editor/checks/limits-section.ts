import { LIMIT_NAMES, LIMIT_RANGE } from "../../shared/fields/account-defaults";
import { currentValue, type Dialog } from "../dialog/dialog";
import type { Validate } from "../dialog/node-definition";
import type { Texts } from "../dialog/texts";
import { findNumberFault } from "../fields/number-fault";
import { check } from "../inputs/faults";

export const limitChecks = (texts: Texts): Readonly<Record<string, Validate>> =>
  Object.fromEntries(
    LIMIT_NAMES.map((name) => [
      name,
      check(
        () => texts(`field.${name}`),
        (value) => (value.trim() === "" ? null : findNumberFault(value, LIMIT_RANGE)),
      ),
    ]),
  );

/** Returns the summary of the group; blank without limits. */
export function prepareLimits({ node, input }: Dialog, texts: Texts): () => readonly string[] {
  const textOf = (name: (typeof LIMIT_NAMES)[number]): string => String(input(name).val() ?? "").trim();
  const isStopped = (): boolean => currentValue(node, "stopSending") === true;
  const typed = () => LIMIT_NAMES.filter((name) => textOf(name) !== "");
  return () => [
    ...typed().map((name) => texts(`summary.${name}`, { n: textOf(name) })),
    ...(isStopped() ? [texts("summary.stopSending")] : []),
  ];
}
