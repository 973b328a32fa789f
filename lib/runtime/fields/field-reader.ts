import type { Node, NodeAPI, NodeMessage } from "node-red";
import { type FieldSpec, type FieldType, fieldsOf, isListType } from "../../shared/fields/field-spec";
import { FieldError } from "../../shared/messaging-error";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import {
  type CompiledField,
  compileField,
  type FieldConfig,
  fieldError,
  fieldName,
  missingField,
} from "./compile-field";
import { copyAsJson, jsonValue, listOfLines } from "./json-fields";
import type { PersonalSources } from "./personal-field";
import { entryProblem, unreadable, unreadableSecret } from "./source-problem";

/** A field that is not sent has no entry. */
export type FieldValues = Record<string, unknown>;

/** @throws FieldError for NaN and infinite numbers: a failed calculation must not be sent as text */
function asText(value: unknown, name: string, entry?: number): unknown {
  if (Buffer.isBuffer(value)) {
    return value.toString("utf8");
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    const problem = say("sources.value.not-text", { value });
    throw new FieldError(
      "FIELD_INVALID",
      name,
      entry === undefined ? problem : entryProblem("placeholders", entry, problem),
    );
  }
  return typeof value === "number" || typeof value === "bigint" ? String(value) : value;
}

/** Converts a value to the type of the operation's schema. The schema refuses the other values. */
const COERCE: Readonly<Record<FieldType, (value: unknown, name: string) => unknown>> = {
  recipients: (value) => value,
  choice: (value) => value,
  json: jsonValue,
  suggestions: listOfLines,
  text: (value, name) => asText(value, name),
  bytes: (value) => value,
  // Converts texts to the placeholder objects of the service.
  placeholders: (value, name) =>
    Array.isArray(value)
      ? value.map((entry: unknown, at) => {
          const text = asText(entry, name, at);
          return typeof text === "string" ? { default: text } : copyAsJson(text, name);
        })
      : value,
  integer: (value) => (typeof value === "string" && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value),
  number: (value) =>
    typeof value === "string" && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value,
  // A `test` flag that is neither true nor false must never lead to a real send.
  boolean: (value, name) => {
    if (value === true || value === "true") {
      return true;
    }
    if (value === false || value === "false") {
      return false;
    }
    throw new FieldError(
      "FIELD_INVALID",
      name,
      say("sources.value.not-boolean", { value: quoteValue(value) }),
    );
  },
};

/** Reads the fields of each message with sources compiled once, synchronously if no field needs a promise. */
export class FieldReader {
  readonly #fields: readonly CompiledField[];
  readonly #properties: ReadonlyMap<string, string | null>;
  readonly #slow: boolean;

  /** @throws FieldError for a literal or expression that can never work */
  constructor(
    RED: NodeAPI,
    node: Node,
    specs: readonly FieldSpec[],
    config: FieldConfig,
    private readonly secret = false,
    personal: PersonalSources | null = null,
  ) {
    const compiled = fieldsOf(specs, config).map((spec) => compileField(RED, node, spec, config, personal));
    this.#fields = compiled.filter(({ fetch }) => fetch !== null);
    this.#properties = new Map(compiled.map(({ spec, property }) => [spec.name, property]));
    this.#slow = this.#fields.some(({ slow }) => slow);
  }

  /** True if all fields come from the message or are fixed, so that a later read gives the same values. */
  get quick(): boolean {
    return !this.#slow;
  }

  reads(name: string): boolean {
    return this.#fields.some(({ spec }) => spec.name === name);
  }

  /** Path of the message property without `msg.`; null for other sources. */
  messageProperty(name: string): string | null {
    return this.#properties.get(name) ?? null;
  }

  /** @throws FieldError (or rejects with it) FIELD_UNRESOLVED or FIELD_INVALID */
  read(msg: NodeMessage): FieldValues | Promise<FieldValues> {
    return this.#slow ? this.#readSlowly(msg) : this.#collect((field) => field.fetch?.(msg));
  }

  async #readSlowly(msg: NodeMessage): Promise<FieldValues> {
    const fetched = await Promise.all(
      this.#fields.map(async (field) => {
        try {
          return await field.fetch?.(msg);
        } catch (error) {
          if (error instanceof FieldError) {
            throw error;
          }
          const problem = (this.secret ? unreadableSecret : unreadable)(field.origin, error as Error);
          throw fieldError("FIELD_UNRESOLVED", field.spec, problem);
        }
      }),
    );
    return this.#collect((_field, at) => fetched[at]);
  }

  #collect(valueFrom: (field: CompiledField, at: number) => unknown): FieldValues {
    const values: FieldValues = {};
    for (let at = 0; at < this.#fields.length; at++) {
      const field = this.#fields[at] as CompiledField;
      const { type } = field.spec;
      const name = fieldName(field.spec);
      const value = valueFrom(field, at);
      // The schema says more about an empty text of a required field.
      const isEmpty = value === "" && !field.spec.required && type !== "boolean";
      if (value === undefined || value === null || isEmpty) {
        throw missingField(field.spec, field.origin);
      }
      if (isListType(type) && !field.spec.required && Array.isArray(value) && value.length === 0) {
        continue;
      }
      values[name] = COERCE[type](value, name);
    }
    return values;
  }
}
