import { isDate } from "node:util/types";
import { checkRcsMessage, coordinates } from "../../gateway/contract/rcs-schemas";
import { fieldError } from "../../gateway/contract/schema-fault";
import { FieldError } from "../../shared/messaging-error";
import { CARD, CARD_CONTENT, CARD_LAYOUTS, CAROUSEL, CHIPS } from "../../shared/fields/rcs-fields";
import { expandCards, expandSuggestions } from "./rcs-suggestions";
import { quoteValue } from "../../shared/quote-value";
import type { FieldValues } from "../fields/field-reader";

/** Builds the RCSMessage that the fields of a node stand for: each value has its path in the message as its name. */

const LAYOUT = `${CARD}.layout`;

/** A layout names an orientation and an alignment that go together. */
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
        `must be ${CARD_LAYOUTS.map((word) => `'${word}'`).join(" or ")}, but is ${quoteValue(layout)}`,
      );
  }
}

/** What a value at a path becomes; all others stay as they are. */
const CONVERT: Readonly<Record<string, (value: unknown) => unknown>> = {
  [LAYOUT]: cardLayout,
  [CHIPS]: expandSuggestions,
  [`${CARD_CONTENT}.suggestions`]: expandSuggestions,
  [`${CAROUSEL}.content`]: expandCards,
};

const DECIMALS = 7;
/** Plain digits, to a centimetre; small numbers would turn into `1e-7` otherwise. */
const plain = (degrees: number): string =>
  Number(degrees.toFixed(DECIMALS))
    .toFixed(DECIMALS)
    .replace(/\.?0{1,7}$/, "");

/** The position as one text: latitude and longitude with a space between them. */
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
export function buildRcsMessage(values: FieldValues): FieldValues {
  const message: FieldValues = {};
  const { latitude, longitude, ...others } = values;
  if (LAYOUT in values) {
    // An empty card is told what it could hold.
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
