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
import { isSimpleProperty, messageValue } from "./message-value";
import { compilePersonal, isPersonal, type PersonalSources } from "./personal-field";
import { type CompiledSource, entryProblem, noValue, type Origin, unreadable } from "./source-problem";

/** The fields of a node: value under `<name>`, source under `<name>Source`. */
export type FieldConfig = Readonly<Record<string, unknown>>;

export interface CompiledField extends CompiledSource {
  readonly spec: FieldSpec;
}

const LONGEST_REASON = 200;

const LITERAL = { str: true, choice: true, num: true, bool: true, json: true } as const;

const LIST: Origin = { kind: "list", name: "" };
const EXPRESSION: Origin = { kind: "expression", name: "" };

export const fieldName = ({ field, name }: FieldSpec): string => field ?? name;

export const fieldError = (code: FieldFault, spec: FieldSpec, problem: string): FieldError =>
  new FieldError(code, fieldName(spec), problem);

export const missingField = (spec: FieldSpec, origin: CompiledSource["origin"]): FieldError =>
  new FieldError("FIELD_UNRESOLVED", fieldName(spec), noValue(origin), { isMissing: true });

/** Prepares a field once. @throws FieldError for a literal, personalised text or expression that can never work */
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
    const allowed = spec.sources.join(", ");
    throw fieldError(
      "FIELD_INVALID",
      spec,
      say("sources.not-allowed", { source: quoteValue(source), allowed }),
    );
  }
  const compiler = new Compiler(RED, node, spec, personal);
  const compiled =
    source === "list" ? compiler.list(readEntries(spec, value)) : compiler.entry(source, String(value));
  return { spec, ...compiled };
}

/** @throws FieldError for a list that no dialog writes: ignoring it would send an incomplete message */
function readEntries(spec: FieldSpec, value: unknown): readonly ListEntry[] {
  const entries: unknown = value === "" ? [] : value;
  if (!Array.isArray(entries) || !entries.every((entry) => typeof entry?.value === "string")) {
    throw fieldError("FIELD_INVALID", spec, say("sources.unreadable-list"));
  }
  return entries as ListEntry[];
}

class Compiler {
  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    private readonly spec: FieldSpec,
    private readonly personal: PersonalSources | null,
  ) {}

  list(entries: readonly ListEntry[]): CompiledSource {
    const { spec } = this;
    const problemOf = (at: number) => (problem: string) => entryProblem(spec.type, at, problem);
    const compiled = entries.map(({ source, value }, at) => this.entry(source, value, problemOf(at)));
    const slow = compiled.some((entry) => entry.slow);
    const unresolved = (at: number, problem: string): FieldError =>
      fieldError("FIELD_UNRESOLVED", spec, problemOf(at)(problem));
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
    const fetch = slow
      ? fetchSlowly
      : (msg: NodeMessage) => compiled.map((entry, at) => hold(fetchEntry(entry, msg), at));
    return { fetch: entries.length === 0 ? null : fetch, slow, origin: LIST, property: null };
  }

  entry(source: FieldSource, value: string, problemOf = (problem: string) => problem): CompiledSource {
    const { RED, node, spec, personal } = this;
    return source === "str" && personal !== null && isPersonal(spec, value)
      ? compilePersonal(RED, node, value, personal, (code, problem) =>
          fieldError(code, spec, problemOf(problem)),
        )
      : this.#source(source, value);
  }

  #source(source: FieldSource, value: string): CompiledSource {
    const { RED, node } = this;
    const property = source === "msg" ? value : null;
    const path: Origin = { kind: "property", name: `${source}.${value}` };
    const field = (fetch: CompiledSource["fetch"], slow = false, origin = path): CompiledSource => {
      return { fetch, slow, origin, property };
    };
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
        const parsed = this.#json(value);
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
        const expression = this.#expression(value);
        return field(
          (msg) => later((done) => RED.util.evaluateJSONataExpression(expression, msg, done)),
          true,
          EXPRESSION,
        );
      }
      default: {
        const fetch = isSimpleProperty(value)
          ? (msg: NodeMessage) => msg[value]
          : (msg: NodeMessage) => messageValue(RED, msg, value);
        return field(fetch, false, { kind: "property", name: `msg.${value}` });
      }
    }
  }

  #json(value: string): unknown {
    try {
      return JSON.parse(value);
    } catch (error) {
      const problem = say("sources.not-json", { error: parseProblem(error as Error) });
      throw fieldError("FIELD_INVALID", this.spec, problem);
    }
  }

  #expression(value: string) {
    try {
      return this.RED.util.prepareJSONataExpression(value, this.node);
    } catch (thrown) {
      const error = quoteValue((thrown as Error).message, LONGEST_REASON);
      throw fieldError("FIELD_INVALID", this.spec, say("sources.not-jsonata", { error }));
    }
  }
}

function later(start: (done: (error: Error | null, result: unknown) => void) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    start((error, result) => (error ? reject(error) : resolve(result)));
  });
}
