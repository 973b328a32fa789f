import Mustache from "mustache";
import { ownName } from "./own-name";

export { hasBraces } from "./has-braces";

export interface PathFault {
  readonly path: string;
  readonly reason: "no-value" | "not-text";
}

export class PersonalTextError extends Error {
  constructor(
    readonly reason: "unclosed" | "unopened-section" | "partial",
    readonly index: number,
  ) {
    super(reason);
  }
}

/** The first object with the first name of a path gives its value. */
export type Sources = readonly object[];

/** Values of `flow.…`, `global.…` and `env.…` by path. */
export type OutsideValues = ReadonlyMap<string, unknown>;

type Token = [type: string, value: string, start: number, end: number, inner?: Token[] | string];

const NO_OUTSIDE: OutsideValues = new Map();
const OUTSIDE = /^(?:env|(?:flow|global)(?:\[\w+\])?)\../;
const VALUE_TOKENS: ReadonlySet<string> = new Set(["name", "&"]);
const SECTION_TOKENS: ReadonlySet<string> = new Set(["#", "^"]);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Prefers a name with dots, such as a column `Tel. 1`, and calls nothing. */
function valueIn(source: object, path: string): unknown {
  const values = source as Readonly<Record<string, unknown>>;
  const whole = ownName(source, path);
  if (whole !== null) {
    return values[whole];
  }
  const at = path.indexOf(".");
  const name = at > 0 ? ownName(source, path.slice(0, at)) : null;
  const inner = name === null ? undefined : values[name];
  return isObject(inner) ? valueIn(inner, path.slice(at + 1)) : undefined;
}

/** A blank value counts, because an outer object may belong to another recipient. */
function hasFirstName(source: object, path: string): boolean {
  const at = path.indexOf(".");
  return ownName(source, path) !== null || (at > 0 && ownName(source, path.slice(0, at)) !== null);
}

/** Uses own properties and calls no function, because a message may contain anything. */
class Lookup extends Mustache.Context {
  constructor(
    readonly sources: Sources,
    readonly outside: OutsideValues,
    readonly item: unknown,
  ) {
    super(item);
  }

  override push(item: unknown): Lookup {
    return new Lookup(isObject(item) ? [item, ...this.sources] : this.sources, this.outside, item);
  }

  override lookup(path: string): unknown {
    if (path === ".") {
      return this.item;
    }
    for (const source of this.sources) {
      if (hasFirstName(source, path)) {
        const value = valueIn(source, path);
        return typeof value === "function" ? undefined : value;
      }
    }
    return this.outside.get(path);
  }
}

/** Characters of an object in `fill`. */
const MAX_JSON = 200;

function writeJson(value: object): string | null {
  try {
    const json = JSON.stringify(value) ?? "";
    return json.length > MAX_JSON ? `${json.slice(0, MAX_JSON - 1)}…` : json;
  } catch {
    return null;
  }
}

/** Writes values without escaping and records unusable ones. */
class Filler extends Mustache.Writer {
  readonly faults: PathFault[] = [];

  /** @param write converts an object, or returns null if it has no place in a text */
  constructor(private readonly write: (value: object) => string | null = () => null) {
    super();
  }

  #fill([, path]: string[], context: Mustache.Context): string {
    const value: unknown = context.lookup(path as string);
    if (typeof value === "string" && value.trim() !== "") {
      return value;
    }
    if (
      (typeof value === "number" && Number.isFinite(value)) ||
      typeof value === "boolean" ||
      typeof value === "bigint"
    ) {
      return String(value);
    }
    const written = isObject(value) ? this.write(value) : null;
    if (written !== null) {
      return written;
    }
    const isNothing = value === undefined || value === null || typeof value === "string";
    this.faults.push({ path: path as string, reason: isNothing ? "no-value" : "not-text" });
    return "";
  }

  override escapedValue(token: string[], context: Mustache.Context): string {
    return this.#fill(token, context);
  }

  override unescapedValue(token: string[], context: Mustache.Context): string {
    return this.#fill(token, context);
  }
}

/** Mustache without escaping: `{{path}}`, `{{#path}}` and `{{^path}}` (docs/decisions/0017). */
export class PersonalText {
  readonly paths: readonly string[];
  /** Paths that `render` needs from outside the message. */
  readonly outside: readonly string[];
  readonly #tokens: Token[];

  /** @throws PersonalTextError */
  constructor(template: string) {
    this.#tokens = parse(template);
    const values = new Set<string>();
    const all = new Set<string>();
    collect(this.#tokens, values, all);
    this.paths = [...values];
    this.outside = [...all].filter((path) => OUTSIDE.test(path));
  }

  /** Returns the text, or each path without a usable value. */
  render(sources: Sources, outside: OutsideValues = NO_OUTSIDE): string | readonly PathFault[] {
    const filler = new Filler();
    const text = this.#fill(filler, sources, outside);
    return filler.faults.length === 0 ? text : filler.faults;
  }

  fill(sources: Sources): { readonly text: string; readonly missing: readonly string[] } {
    const filler = new Filler(writeJson);
    const text = this.#fill(filler, sources, NO_OUTSIDE);
    return { text, missing: [...new Set(filler.faults.map(({ path }) => path))] };
  }

  /** The first path to a number in a row, as a csv node reads cells by default; null if there is none. */
  numberIn(row: object): string | null {
    return this.paths.find((path) => typeof valueIn(row, path) === "number") ?? null;
  }

  #fill(filler: Filler, sources: Sources, outside: OutsideValues): string {
    return filler.renderTokens(this.#tokens as never, new Lookup(sources, outside, sources[0]));
  }
}

/** @throws PersonalTextError */
function parse(template: string): Token[] {
  try {
    // `Mustache.parse` caches every template forever.
    return new Mustache.Writer().parse(template) as unknown as Token[];
  } catch (error) {
    const { message } = error as Error;
    const index = Number(/ at (\d+)$/.exec(message)?.[1] ?? 0);
    throw new PersonalTextError(message.startsWith("Unopened") ? "unopened-section" : "unclosed", index);
  }
}

/** @throws PersonalTextError for a partial */
function collect(tokens: readonly Token[], values: Set<string>, all: Set<string>): void {
  for (const [type, value, start, , inner] of tokens) {
    if (type === ">") {
      throw new PersonalTextError("partial", start);
    }
    if (VALUE_TOKENS.has(type) && value !== ".") {
      values.add(value);
      all.add(value);
    } else if (SECTION_TOKENS.has(type)) {
      all.add(value);
      collect(inner as Token[], values, all);
    }
  }
}
