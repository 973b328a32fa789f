import { shownName } from "../../shared/personal-text/own-name";
import { isRow, type Row } from "../../shared/personal-text/row-number";
import type { Sample } from "./sample";

export interface SampleValue {
  /** As it is written between the braces. */
  readonly path: string;
  readonly example: string;
}

const MOST = 80;
const DEEPEST = 4;
const MOST_ENTRIES = 3;
/** Properties without data for a recipient. */
const UNOFFERED: ReadonlySet<string> = new Set(["_msgid", "_event", "_session", "req", "res"]);

const canBePath = (name: string): boolean =>
  name !== "" && name === name.trim() && !/^[#^/>&!={]|\}\}|\{\{|[\r\n]/.test(name);

/** A name without a mark takes precedence over the same name with one. */
const shownEntries = (value: Row): readonly (readonly [name: string, value: unknown])[] =>
  Object.entries(value)
    .filter(([name]) => shownName(name) === name || !Object.hasOwn(value, shownName(name)))
    .map(([name, each]) => [shownName(name), each]);

function* valuesIn(value: unknown, path: string, depth: number): Generator<SampleValue> {
  if (typeof value === "string" ? value.trim() !== "" : ["number", "boolean"].includes(typeof value)) {
    yield { path, example: String(value) };
  } else if (depth < DEEPEST) {
    const inner = Array.isArray(value)
      ? value.slice(0, MOST_ENTRIES).map((each, at) => [String(at), each] as const)
      : isRow(value)
        ? shownEntries(value)
        : [];
    for (const [name, each] of inner) {
      if (canBePath(name)) {
        yield* valuesIn(each, path === "" ? name : `${path}.${name}`, depth + 1);
      }
    }
  }
}

/** Values of the row first, then of the payload, without duplicates. */
export function sampleValues({ message, row, rowPath }: Sample): readonly SampleValue[] {
  const found = new Map<string, SampleValue>();
  const add = (values: Iterable<SampleValue>): void => {
    for (const value of values) {
      if (found.size < MOST && !found.has(value.path)) {
        found.set(value.path, value);
      }
    }
  };
  add(row === null ? [] : valuesIn(row, "", 0));
  const names = Object.keys(message).filter((name) => !UNOFFERED.has(name) && canBePath(name));
  names.sort((a, b) => Number(b === "payload") - Number(a === "payload"));
  for (const name of names) {
    const values = [...valuesIn(message[name], name, 1)];
    add(values.filter(({ path }) => row === null || (path !== rowPath && !path.startsWith(`${rowPath}.`))));
  }
  return [...found.values()];
}
