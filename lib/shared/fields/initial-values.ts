import { type FieldSpec, sourceProperty } from "./field-spec";
import { RULE_DEFAULTS, RULE_FIELDS } from "./rule-fields";
import { TEXT_DEFAULTS } from "./text-settings";

export type Values = Readonly<Record<string, unknown>>;

/** Returns the initial values of fields and of their sources. */
export const fieldValues = (specs: readonly FieldSpec[]): Values =>
  Object.fromEntries(
    specs.flatMap(({ name, initial: { source, value } }) => [
      [name, source === "list" ? [] : value],
      [sourceProperty(name), source],
    ]),
  );

/** Of every node that uses an account. */
export const NODE_VALUES = { name: "", account: "" } as const;
/** Of every node that sends, or transfers files. */
export const SENDER_VALUES = { ...NODE_VALUES, resultProperty: "result", outputs: 4 } as const;
/** Of every node that sends messages to people. */
export const CHANNEL_VALUES = {
  ...SENDER_VALUES,
  ...fieldValues(RULE_FIELDS),
  ...RULE_DEFAULTS,
  ...TEXT_DEFAULTS,
} as const;

/** Returns a copy of a node's configuration with the initial value of each property that it lacks. */
export function withInitialValues<Config extends object>(initial: Values, config: Partial<Config>): Config {
  const given = Object.entries(config).filter(([, value]) => value !== undefined && value !== null);
  return { ...config, ...initial, ...Object.fromEntries(given) } as Config;
}
