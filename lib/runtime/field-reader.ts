import type { Node, NodeAPI, NodeMessage } from "node-red";
import { type FieldSpec, sourceProperty } from "../shared/field-spec";
import { FieldError } from "../shared/messaging-error";

/** A node's configuration as far as fields go: value under `<name>`, source under `<name>Source`. */
export type FieldConfig = Readonly<Record<string, unknown>>;

/** What the fields hold for one message. A field that is not sent has no entry. */
export type FieldValues = Record<string, unknown>;

/** Fetches one field; either at once or later, never both. `undefined` means that the source holds nothing. */
type Fetch = (msg: NodeMessage) => unknown;

interface Compiled {
  readonly spec: FieldSpec;
  readonly fetch: Fetch | null;
  /** True where fetching takes a promise. */
  readonly slow: boolean;
  /** Path of the message property it comes from, or null. */
  readonly property: string | null;
  /** How an error names the source, e.g. `msg.test`. */
  readonly label: string;
}

const LITERAL = { str: true, choice: true, num: true, bool: true } as const;

function show(value: unknown): string {
  return typeof value === "string"
    ? `'${value.slice(0, 40)}'`
    : Array.isArray(value)
      ? "a list"
      : String(value);
}

/** Turns what a source holds into what the operation's schema expects; leaves the rest for the schema to refuse. */
const COERCE: Readonly<Record<FieldSpec["kind"], (value: unknown, name: string) => unknown>> = {
  recipients: (value) => value,
  choice: (value) => value,
  text: (value) => {
    if (Buffer.isBuffer(value)) {
      return value.toString("utf8");
    }
    return typeof value === "number" || typeof value === "bigint" ? String(value) : value;
  },
  integer: (value) => (typeof value === "string" && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value),
  // A test flag that did not come out as a clear yes or no must never become a real send.
  boolean: (value, name) => {
    if (value === true || value === "true") {
      return true;
    }
    if (value === false || value === "false") {
      return false;
    }
    throw new FieldError("FIELD_INVALID", name, `must be true or false, but is ${show(value)}`);
  },
};

/**
 * Reads the TypedInput fields of a node for each message. Sources are compiled once; messages whose fields
 * need no promise are read without one.
 */
export class FieldReader {
  readonly #fields: readonly Compiled[];
  readonly #slow: boolean;

  /** @throws FieldError for a literal or expression that can never work */
  constructor(RED: NodeAPI, node: Node, specs: readonly FieldSpec[], config: FieldConfig) {
    this.#fields = specs.map((spec) => compile(RED, node, spec, config));
    this.#slow = this.#fields.some(({ slow }) => slow);
  }

  /** Where a field comes from a message property: its path without `msg.`, else null. */
  messageProperty(name: string): string | null {
    return this.#fields.find(({ spec }) => spec.name === name)?.property ?? null;
  }

  /**
   * The values of all fields that are to be sent.
   * @throws FieldError (or rejects with it) FIELD_UNRESOLVED or FIELD_INVALID
   */
  read(msg: NodeMessage): FieldValues | Promise<FieldValues> {
    return this.#slow ? this.#readSlowly(msg) : this.#collect((field) => field.fetch?.(msg));
  }

  async #readSlowly(msg: NodeMessage): Promise<FieldValues> {
    const fetched = await Promise.all(
      this.#fields.map(async (field) => {
        try {
          return await field.fetch?.(msg);
        } catch (error) {
          throw new FieldError(
            "FIELD_UNRESOLVED",
            field.spec.name,
            `could not be read from ${field.label}: ${(error as Error).message}`,
          );
        }
      }),
    );
    return this.#collect((_field, at) => fetched[at]);
  }

  #collect(valueFrom: (field: Compiled, at: number) => unknown): FieldValues {
    const values: FieldValues = {};
    this.#fields.forEach((field, at) => {
      if (field.fetch === null) {
        return;
      }
      const { name, kind } = field.spec;
      const value = valueFrom(field, at);
      if (value === undefined || value === null) {
        throw new FieldError("FIELD_UNRESOLVED", name, `is set to ${field.label}, which holds no value`);
      }
      // An empty text means "not sent", as a blank column of a table does; never for a yes-or-no field.
      if (value === "" && kind !== "boolean" && !field.spec.required) {
        return;
      }
      values[name] = COERCE[kind](value, name);
    });
    return values;
  }
}

function compile(RED: NodeAPI, node: Node, spec: FieldSpec, config: FieldConfig): Compiled {
  const source = String(config[sourceProperty(spec.name)] ?? spec.initial.source);
  const value = String(config[spec.name] ?? spec.initial.value);
  const field = (fetch: Fetch | null, slow = false, label = `${source}.${value}`): Compiled => ({
    spec,
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
    case "env": {
      // The environment is fixed until the next deploy.
      const found: unknown = RED.util.evaluateNodeProperty(value, "env", node, {});
      return field(() => (found === "" ? undefined : found), false, `the environment variable ${value}`);
    }
    case "flow":
    case "global":
      return field(
        (msg) =>
          new Promise((resolve, reject) => {
            RED.util.evaluateNodeProperty(value, source, node, msg, (error: Error | null, result: unknown) =>
              error ? reject(error) : resolve(result),
            );
          }),
        true,
      );
    case "jsonata": {
      const expression = prepare(RED, node, spec, value);
      return field(
        (msg) =>
          new Promise((resolve, reject) => {
            RED.util.evaluateJSONataExpression(expression, msg, (error: Error | null, result: unknown) =>
              error ? reject(error) : resolve(result),
            );
          }),
        true,
        "its expression",
      );
    }
    default:
      return field((msg) => property(RED, msg, value), false, `msg.${value}`);
  }
}

function prepare(RED: NodeAPI, node: Node, spec: FieldSpec, value: string) {
  try {
    return RED.util.prepareJSONataExpression(value, node);
  } catch (error) {
    throw new FieldError(
      "FIELD_INVALID",
      spec.name,
      `has an expression that is not JSONata: ${(error as Error).message}`,
    );
  }
}

/** A property that is not there, at whatever depth, holds nothing; that is no error by itself. */
function property(RED: NodeAPI, msg: NodeMessage, path: string): unknown {
  try {
    return RED.util.getMessageProperty(msg, path);
  } catch {
    return undefined;
  }
}
