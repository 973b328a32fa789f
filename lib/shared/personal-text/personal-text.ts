import Mustache from "mustache";
import { ownName } from "./own-name";

export { hasBraces } from "./has-braces";

/** Why a path of a text has no place in it: there is nothing, or it is no text, number or yes and no. */
export interface PathFault {
  /** As it stands in the text, such as `payload.name`. */
  readonly path: string;
  readonly reason: "no-value" | "not-text";
}

/** Why a text cannot be filled at all. `index` is the place in the text, from 0. */
export class PersonalTextError extends Error {
  constructor(
    readonly reason: "unclosed" | "unopened-section" | "partial",
    readonly index: number,
  ) {
    super(reason);
  }
}

/** The objects that paths are looked up in: the first one that has the first name of a path gives its value. */
export type Sources = readonly object[];

/** Values of paths that are not in the message: `flow.…`, `global.…` and `env.…`, by their path. */
export type OutsideValues = ReadonlyMap<string, unknown>;

type Token = [type: string, value: string, start: number, end: number, inner?: Token[] | string];

const NO_OUTSIDE: OutsideValues = new Map();
const OUTSIDE = /^(?:env|(?:flow|global)(?:\[\w+\])?)\../;
/** Types of tokens that a value takes the place of. */
const VALUE_TOKENS: ReadonlySet<string> = new Set(["name", "&"]);
const SECTION_TOKENS: ReadonlySet<string> = new Set(["#", "^"]);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** The value of a path, or undefined. A name with dots in it, such as a column `Tel. 1`, comes before the path. Calls nothing. */
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

/** Whether a source gives the value of a path: a name that has nothing in it is not looked up further out, where it is somebody else's. */
function hasFirstName(source: object, path: string): boolean {
  const at = path.indexOf(".");
  return ownName(source, path) !== null || (at > 0 && ownName(source, path.slice(0, at)) !== null);
}

/** Looks paths up in own properties only and calls no function, since a message may hold anything. */
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

/** Characters of an object in a text that is filled in any case. */
const MOST_JSON = 200;

function writeJson(value: object): string | null {
  try {
    const json = JSON.stringify(value) ?? "";
    return json.length > MOST_JSON ? `${json.slice(0, MOST_JSON - 1)}…` : json;
  } catch {
    return null;
  }
}

/** Writes values as they are, without escaping, and notes those that have no place in a text. */
class Filler extends Mustache.Writer {
  readonly faults: PathFault[] = [];

  /** @param write writes what is no text, number or yes and no; null where it has no place in the text */
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

/**
 * A typed text with values of the message in it, in the syntax of Mustache: `{{path}}`, and sections, `{{#path}}…{{/path}}` and
 * `{{^path}}…{{/path}}`. Nothing is escaped. docs/decisions/0017.
 */
export class PersonalText {
  /** Paths whose value is written into the text, each once, in order. */
  readonly paths: readonly string[];
  /** Paths of `flow`, `global` and `env`, sections included, which `render` has to be given. */
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

  /** @returns the text, or each path that has no value that can be written */
  render(sources: Sources, outside: OutsideValues = NO_OUTSIDE): string | readonly PathFault[] {
    const filler = new Filler();
    const text = this.#fill(filler, sources, outside);
    return filler.faults.length === 0 ? text : filler.faults;
  }

  /** The text in any case: nothing in the place of what has no value, and JSON of an object, at most `MOST_JSON` characters of it. */
  fill(sources: Sources): { readonly text: string; readonly missing: readonly string[] } {
    const filler = new Filler(writeJson);
    const text = this.#fill(filler, sources, NO_OUTSIDE);
    return { text, missing: [...new Set(filler.faults.map(({ path }) => path))] };
  }

  #fill(filler: Filler, sources: Sources, outside: OutsideValues): string {
    return filler.renderTokens(this.#tokens as never, new Lookup(sources, outside, sources[0]));
  }
}

/** @throws PersonalTextError */
function parse(template: string): Token[] {
  try {
    // Not `Mustache.parse`, which keeps every template for good.
    return new Mustache.Writer().parse(template) as unknown as Token[];
  } catch (error) {
    const { message } = error as Error;
    const index = Number(/ at (\d+)$/.exec(message)?.[1] ?? 0);
    throw new PersonalTextError(message.startsWith("Unopened") ? "unopened-section" : "unclosed", index);
  }
}

/** @throws PersonalTextError for a part of another template, which there is none of */
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
