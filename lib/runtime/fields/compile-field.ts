import { parseProblem } from "./json-problem";
import type { Node, NodeAPI, NodeMessage } from "node-red";
import {
  type FieldSource,
  type FieldSpec,
  type ListEntry,
  sourceProperty,
} from "../../shared/fields/field-spec";
import { FieldError, type FieldFault } from "../../shared/messaging-error";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import {
  compilePersonal,
  type FailOf,
  isPersonal,
  messageValue,
  type PersonalSources,
} from "./personal-field";
import { isSimpleProperty } from "./simple-property";
import { entryProblem, noValue, type Origin, unreadable } from "./source-problem";

/** The fields in a node's configuration: value under `<name>`, source under `<name>Source`. */
export type FieldConfig = Readonly<Record<string, unknown>>;

/** Reads one field, as a value or a promise. `undefined` means that the source has no value. */
export type Fetch = (msg: NodeMessage) => unknown;

/** A source that was prepared once and is read for each message. */
interface CompiledSource {
  readonly fetch: Fetch | null;
  /** True where `fetch` returns a promise. */
  readonly slow: boolean;
  /** Path of the message property that it reads, or null. */
  readonly property: string | null;
  readonly origin: Origin;
}

export interface CompiledField extends CompiledSource {
  readonly spec: FieldSpec;
}

/** Characters of what the parser of JSONata says. */
const LONGEST_REASON = 200;

const LITERAL = { str: true, choice: true, num: true, bool: true, json: true } as const;

const LIST: Origin = { kind: "list", name: "" };
const EXPRESSION: Origin = { kind: "expression", name: "" };

/** The service's name of a field. */
export const fieldName = ({ field, name }: FieldSpec): string => field ?? name;

/** An error of a field, by the service's name. */
export const fieldError = (code: FieldFault, spec: FieldSpec, problem: string): FieldError =>
  new FieldError(code, fieldName(spec), problem);

/**
 * Prepares a field of a node once, so that it is only read for each message.
 * @param personal null where braces in typed texts mean themselves
 * @throws FieldError for a literal, a personal text or an expression that can never work
 */
export function compileField(
  RED: NodeAPI,
  node: Node,
  spec: FieldSpec,
  config: FieldConfig,
  personal: PersonalSources | null,
): CompiledField {
  const source = String(config[sourceProperty(spec.name)]) as FieldSource;
  const value = config[spec.name];
  if (spec.sources?.includes(source) === false) {
    throw fieldError(
      "FIELD_INVALID",
      spec,
      say("sources.not-allowed", { source: quoteValue(source), allowed: spec.sources.join(", ") }),
    );
  }
  if (source === "list") {
    return compileList(RED, node, spec, entriesOf(spec, value), personal);
  }
  if (source === "str" && personal !== null && isPersonal(spec, String(value))) {
    return {
      spec,
      ...personalSource(RED, node, String(value), personal, (code, problem) =>
        fieldError(code, spec, problem),
      ),
    };
  }
  return { spec, ...compileSource(RED, node, spec, source, String(value)) };
}

/** @throws FieldError for a list that no dialog writes: ignoring it would send an incomplete message */
function entriesOf(spec: FieldSpec, value: unknown): readonly ListEntry[] {
  const entries: unknown = value === "" ? [] : value;
  if (!Array.isArray(entries) || !entries.every((entry) => typeof entry?.value === "string")) {
    throw fieldError("FIELD_INVALID", spec, say("sources.unreadable-list"));
  }
  return entries as ListEntry[];
}

/** Each entry of a list has its own source; the field is the list of their values. */
function compileList(
  RED: NodeAPI,
  node: Node,
  spec: FieldSpec,
  entries: readonly ListEntry[],
  personal: PersonalSources | null,
): CompiledField {
  const compiled = entries.map(({ source, value }, at) =>
    source === "str" && personal !== null && isPersonal(spec, value)
      ? personalSource(RED, node, value, personal, (code, problem) =>
          fieldError(code, spec, entryProblem(spec.type, at, problem)),
        )
      : compileSource(RED, node, spec, source, value),
  );
  const slow = compiled.some((entry) => entry.slow);
  const unresolved = (at: number, problem: string): FieldError =>
    fieldError("FIELD_UNRESOLVED", spec, entryProblem(spec.type, at, problem));
  const hold = (value: unknown, at: number): unknown => {
    if (value === undefined || value === null) {
      throw unresolved(at, noValue((compiled[at] as CompiledSource).origin));
    }
    return value;
  };
  // An empty entry stays an empty text, which the schema refuses by its number. Dropping it would shift later entries.
  const fetchEntry = ({ fetch }: CompiledSource, msg: NodeMessage): unknown =>
    fetch === null ? "" : fetch(msg);
  const fetchSlowly = (msg: NodeMessage): Promise<unknown[]> =>
    Promise.all(
      compiled.map(async (entry, at) => {
        const value = await Promise.resolve(fetchEntry(entry, msg)).catch((error: Error) => {
          throw error instanceof FieldError ? error : unresolved(at, unreadable(entry.origin, error));
        });
        return hold(value, at);
      }),
    );
  const fetch: Fetch = slow
    ? fetchSlowly
    : (msg) => compiled.map((entry, at) => hold(fetchEntry(entry, msg), at));
  return { spec, fetch: entries.length === 0 ? null : fetch, slow, origin: LIST, property: null };
}

/** A typed text with values of the message in it. @throws FieldError */
function personalSource(
  RED: NodeAPI,
  node: Node,
  text: string,
  personal: PersonalSources,
  fail: FailOf,
): CompiledSource {
  return { ...compilePersonal(RED, node, text, personal, fail), origin: LIST, property: null };
}

function compileSource(
  RED: NodeAPI,
  node: Node,
  spec: FieldSpec,
  source: FieldSource,
  value: string,
): CompiledSource {
  const property = source === "msg" ? value : null;
  const path: Origin = { kind: "property", name: `${source}.${value}` };
  const field = (fetch: Fetch | null, slow = false, origin = path): CompiledSource => ({
    fetch,
    slow,
    origin,
    property,
  });
  if (source === "blank" || (value === "" && (source in LITERAL || source === "env"))) {
    return field(null);
  }
  switch (source) {
    case "str":
    case "choice":
      return field(() => value);
    case "num":
      return field(() => Number(value));
    case "bool":
      return field(() => value === "true");
    case "json": {
      const parsed = parseJson(spec, value);
      return field(() => parsed);
    }
    case "env": {
      // Environment variables do not change until the next deploy.
      const found: unknown = RED.util.evaluateNodeProperty(value, "env", node, {});
      return field(() => (found === "" ? undefined : found), false, { kind: "variable", name: value });
    }
    case "flow":
    case "global":
      return field(
        (msg) => later((done) => RED.util.evaluateNodeProperty(value, source, node, msg, done)),
        true,
      );
    case "jsonata": {
      const expression = prepare(RED, node, spec, value);
      return field(
        (msg) => later((done) => RED.util.evaluateJSONataExpression(expression, msg, done)),
        true,
        EXPRESSION,
      );
    }
    default:
      return field(
        isSimpleProperty(value) ? (msg) => msg[value] : (msg) => messageValue(RED, msg, value),
        false,
        { kind: "property", name: `msg.${value}` },
      );
  }
}

function later(start: (done: (error: Error | null, result: unknown) => void) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    start((error, result) => (error ? reject(error) : resolve(result)));
  });
}

function parseJson(spec: FieldSpec, value: string): unknown {
  try {
    return JSON.parse(value);
  } catch (error) {
    const problem = say("sources.not-json", { error: parseProblem(error as Error) });
    throw fieldError("FIELD_INVALID", spec, problem);
  }
}

function prepare(RED: NodeAPI, node: Node, spec: FieldSpec, value: string) {
  try {
    return RED.util.prepareJSONataExpression(value, node);
  } catch (error) {
    const problem = say("sources.not-jsonata", {
      error: quoteValue((error as Error).message, LONGEST_REASON),
    });
    throw fieldError("FIELD_INVALID", spec, problem);
  }
}
