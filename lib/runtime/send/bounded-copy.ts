import { isPlainObject } from "../node-red/is-plain-object";

/** Levels of objects and lists in a copy, properties or entries of each, characters of a text, and values in all. */
const DEPTH = 4;
const BREADTH = 50;
const LONGEST = 200;
const MOST_VALUES = 2_000;

type Plain = Record<string, unknown>;

/** Copies a value for people to look at: plain objects, lists, texts and numbers, as far as the limits reach. It can be written as JSON. */
export function boundedCopy(value: object): Plain {
  let left = MOST_VALUES;
  const copy = (each: unknown, depth: number): unknown => {
    left--;
    switch (typeof each) {
      case "string":
        return each.slice(0, LONGEST);
      case "number":
        return Number.isFinite(each) ? each : null;
      case "boolean":
        return each;
      case "bigint":
        return String(each).slice(0, LONGEST);
      case "object":
        return each === null ? null : copyObject(each, depth);
      default:
        return undefined;
    }
  };
  const copyObject = (object: object, depth: number): unknown => {
    if (Array.isArray(object)) {
      return depth === DEPTH ? [] : copyList(object, depth);
    }
    return depth === DEPTH || !isPlainObject(object) ? {} : copyPlain(object, depth);
  };
  const copyList = (list: readonly unknown[], depth: number): unknown[] => {
    const copied: unknown[] = [];
    for (let at = 0; at < Math.min(list.length, BREADTH) && left > 0; at++) {
      copied.push(copy(list[at], depth + 1) ?? null);
    }
    return copied;
  };
  const copyPlain = (object: object, depth: number): Plain => {
    // Without a prototype: a property may be called __proto__.
    const copied = Object.create(null) as Plain;
    let count = 0;
    for (const name in object) {
      if (count === BREADTH || left <= 0) {
        break;
      }
      // Runs no code of the flow, such as a getter.
      const { value: inner } = Object.getOwnPropertyDescriptor(object, name) ?? {};
      if (inner !== undefined && name.length <= LONGEST) {
        const copiedInner = copy(inner, depth + 1);
        if (copiedInner !== undefined) {
          copied[name] = copiedInner;
          count++;
        }
      }
    }
    return copied;
  };
  return copyPlain(value, 0);
}
