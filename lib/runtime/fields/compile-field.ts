import type { Node, NodeAPI, NodeMessage } from "node-red";
import {
  type FieldSource,
  type FieldSpec,
  type ListEntry,
  sourceProperty,
} from "../../shared/fields/field-spec";
import { FieldError } from "../../shared/messaging-error";
import { quoteValue } from "../../texts/quote-value";
import { isSimpleProperty } from "./simple-property";

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
  /** Name of the source in errors, such as `msg.test`. */
  readonly label: string;
}

export interface CompiledField extends CompiledSource {
  readonly spec: FieldSpec;
}

const LITERAL = { str: true, choice: true, num: true, bool: true, json: true } as const;

/** Name of a list entry in errors. */
const ENTRY: Partial<Record<FieldSpec["kind"], string>> = {
  placeholders: "placeholder",
  suggestions: "suggestion",
};

/** The service's name of a field. */
export const fieldName = ({ field, name }: FieldSpec): string => field ?? name;

/**
 * Prepares a field of a node once, so that it is only read for each message.
 * @throws FieldError for a literal or expression that can never work
 */
export function compileField(RED: NodeAPI, node: Node, spec: FieldSpec, config: FieldConfig): CompiledField {
  const source = String(config[sourceProperty(spec.name)] ?? spec.initial.source) as FieldSource;
  const value = config[spec.name] ?? spec.initial.value;
  if (spec.sources?.includes(source) === false) {
    throw new FieldError(
      "FIELD_INVALID",
      fieldName(spec),
      `cannot come from ${quoteValue(source)}, only from ${spec.sources.join(", ")}`,
    );
  }
  if (source === "list") {
    return compileList(RED, node, spec, entriesOf(spec, value));
  }
  return { spec, ...compileSource(RED, node, spec, source, String(value)) };
}

/** @throws FieldError for a list that no dialog writes: ignoring it would send an incomplete message */
function entriesOf(spec: FieldSpec, value: unknown): readonly ListEntry[] {
  const entries: unknown = value === "" ? [] : value;
  if (!Array.isArray(entries) || !entries.every((entry) => typeof entry?.value === "string")) {
    throw new FieldError(
      "FIELD_INVALID",
      fieldName(spec),
      "is set to a list in the node that cannot be read",
    );
  }
  return entries as ListEntry[];
}

/** Each entry of a list has its own source; the field is the list of their values. */
function compileList(
  RED: NodeAPI,
  node: Node,
  spec: FieldSpec,
  entries: readonly ListEntry[],
): CompiledField {
  const compiled = entries.map(({ source, value }) => compileSource(RED, node, spec, source, value));
  const slow = compiled.some((entry) => entry.slow);
  const unresolved = (at: number, problem: string): FieldError =>
    new FieldError(
      "FIELD_UNRESOLVED",
      fieldName(spec),
      `${ENTRY[spec.kind] ?? "entry"} ${at + 1} ${problem}`,
    );
  const hold = (value: unknown, at: number): unknown => {
    if (value === undefined || value === null) {
      throw unresolved(at, `is set to ${compiled[at]?.label}, which holds no value`);
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
          throw unresolved(at, `could not be read from ${entry.label}: ${error.message}`);
        });
        return hold(value, at);
      }),
    );
  const fetch: Fetch = slow
    ? fetchSlowly
    : (msg) => compiled.map((entry, at) => hold(fetchEntry(entry, msg), at));
  return { spec, fetch: entries.length === 0 ? null : fetch, slow, label: "its list", property: null };
}

function compileSource(
  RED: NodeAPI,
  node: Node,
  spec: FieldSpec,
  source: FieldSource,
  value: string,
): CompiledSource {
  const field = (fetch: Fetch | null, slow = false, label = `${source}.${value}`): CompiledSource => ({
    fetch,
    slow,
    label,
    property: source === "msg" ? value : null,
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
      return field(() => (found === "" ? undefined : found), false, `the environment variable ${value}`);
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
        "its expression",
      );
    }
    default:
      return field(
        isSimpleProperty(value) ? (msg) => msg[value] : (msg) => property(RED, msg, value),
        false,
        `msg.${value}`,
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
    throw new FieldError("FIELD_INVALID", fieldName(spec), `is not JSON: ${(error as Error).message}`);
  }
}

function prepare(RED: NodeAPI, node: Node, spec: FieldSpec, value: string) {
  try {
    return RED.util.prepareJSONataExpression(value, node);
  } catch (error) {
    throw new FieldError(
      "FIELD_INVALID",
      fieldName(spec),
      `has an expression that is not JSONata: ${(error as Error).message}`,
    );
  }
}

/** A message property; undefined where it or a parent of it does not exist. */
function property(RED: NodeAPI, msg: NodeMessage, path: string): unknown {
  try {
    return RED.util.getMessageProperty(msg, path);
  } catch {
    return undefined;
  }
}
