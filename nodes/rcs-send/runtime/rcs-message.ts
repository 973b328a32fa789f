import { isDate } from "node:util/types";
import { checkRcsMessage, coordinates } from "../../../lib/gateway/contract/rcs-schemas";
import { fieldError } from "../../../lib/gateway/contract/schema-fault";
import { FieldError } from "../../../lib/shared/messaging-error";
import { CARD, CARD_CONTENT, CARD_LAYOUTS, CAROUSEL, CHIPS, type RCS_FIELDS } from "../shared/rcs-fields";
import type { FieldKey } from "../../../lib/shared/fields/field-spec";
import { expandCards, expandSuggestions } from "./rcs-suggestions";
import { quoteValue } from "../../../lib/texts/quote-value";
import { say } from "../../../lib/texts/say";
import type { FieldValues } from "../../../lib/runtime/fields/field-reader";
import type { ValuesOf } from "../../../lib/runtime/channels/channel-definition";

const LAYOUT = `${CARD}.layout` as const;

function cardLayout(layout: unknown): FieldValues {
  switch (layout) {
    case "VERTICAL":
      return { cardOrientation: "VERTICAL" };
    case "LEFT":
    case "RIGHT":
      return { cardOrientation: "HORIZONTAL", imageAlignment: layout };
    default:
      throw new FieldError(
        "FIELD_INVALID",
        LAYOUT,
        say("sources.rcs.layout", {
          layouts: CARD_LAYOUTS.map((word) => `'${word}'`).join(say("values.or")),
          value: quoteValue(layout),
        }),
      );
  }
}

type Convert = (value: unknown) => unknown;

const CONVERT: Readonly<Record<string, Convert>> = {
  [LAYOUT]: cardLayout,
  [CHIPS]: expandSuggestions,
  [`${CARD_CONTENT}.suggestions`]: expandSuggestions,
  [`${CAROUSEL}.content`]: expandCards,
} satisfies Partial<Record<FieldKey<typeof RCS_FIELDS>, Convert>>;

const DECIMALS = 7;
/** One centimetre of precision. `String` would write small numbers as `1e-7`. */
const plain = (degrees: number): string =>
  Number(degrees.toFixed(DECIMALS))
    .toFixed(DECIMALS)
    .replace(/\.?0{1,7}$/, "");

function position(latitude: unknown, longitude: unknown): string {
  const checked = coordinates.safeParse({ latitude, longitude });
  if (!checked.success) {
    throw fieldError(checked.error.issues);
  }
  return `${plain(latitude as number)} ${plain(longitude as number)}`;
}

function put(message: FieldValues, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop() as string;
  let parent = message;
  for (const key of keys) {
    parent[key] ??= {};
    parent = parent[key] as FieldValues;
  }
  parent[last] = value;
}

const asInstant = (value: unknown): unknown =>
  isDate(value) && !Number.isNaN(value.getTime()) ? value.toISOString() : value;

/** @throws FieldError naming a field by its path in the message */
export function buildRcsMessage(values: ValuesOf<typeof RCS_FIELDS>): FieldValues {
  const message: FieldValues = {};
  const { latitude, longitude, ...others } = values;
  if (LAYOUT in values) {
    // An empty card then gets an error that names the possible contents.
    put(message, CARD_CONTENT, {});
  }
  if (latitude !== undefined) {
    put(message, "geolocationPushMessage.pos", position(latitude, longitude));
  }
  for (const [path, value] of Object.entries(others)) {
    put(message, path, CONVERT[path]?.(value) ?? asInstant(value));
  }
  checkRcsMessage(message);
  return message;
}
