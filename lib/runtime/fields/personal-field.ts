import type { Node, NodeAPI, NodeMessage } from "node-red";
import { type FieldSpec, type FieldType, sourceProperty } from "../../shared/fields/field-spec";
import type { FieldError, FieldFault } from "../../shared/messaging-error";
import {
  hasBraces,
  type OutsideValues,
  type PathFault,
  PersonalText,
  PersonalTextError,
} from "../../shared/personal-text/personal-text";
import { isRow } from "../../shared/personal-text/row-number";
import { say } from "../../texts/say";
import { messageValue } from "./message-value";
import type { CompiledSource } from "./source-problem";

/** Key of a test's sample values. No saved flow can have it. */
export const SAMPLE = Symbol("sample");

export interface PersonalSources {
  /** Path without `msg.`; null if recipients do not come from the message. */
  readonly rowPath: string | null;
  /** The row of a test from a dialog. */
  readonly sample: object | null;
  readonly isTest: boolean;
  readonly onNumberCell: (path: string) => void;
}

export type FailOf = (code: FieldFault, problem: string) => FieldError;

type Config = Readonly<Record<string, unknown>> & { readonly [SAMPLE]?: object | null };

const TYPES: ReadonlySet<FieldType> = new Set<FieldType>([
  "text",
  "recipients",
  "placeholders",
  "suggestions",
]);
const NAMED = 5;
const CONTEXT = /^(flow|global)(?:\[(\w+)\])?\.(.+)$/;
const ENV = /^env\.(.+)$/;

/** Returns null for a node whose texts contain literal braces. */
export function personalSources(
  config: Config,
  recipients: FieldSpec | undefined,
  onNumberCell: (path: string) => void = () => {},
): PersonalSources | null {
  if (config.braces !== "fill" || recipients === undefined) {
    return null;
  }
  const { name } = recipients;
  const isFromMessage = config[sourceProperty(name)] === "msg";
  return {
    rowPath: isFromMessage ? String(config[name]) : null,
    sample: config[SAMPLE] ?? null,
    isTest: config[SAMPLE] !== undefined,
    onNumberCell,
  };
}

export const isPersonal = ({ type }: FieldSpec, text: string): boolean => TYPES.has(type) && hasBraces(text);

/** Prepares a personalised text. @throws FieldError for a text that can never be filled */
export function compilePersonal(
  RED: NodeAPI,
  node: Node,
  template: string,
  { rowPath, sample, isTest, onNumberCell }: PersonalSources,
  fail: FailOf,
): CompiledSource {
  const text = parse(template, fail);
  const fixed = readVariables(RED, node, text);
  const contexts = text.outside.filter((path) => CONTEXT.test(path));
  const render = (msg: NodeMessage, outside: OutsideValues): string => {
    const row = sample ?? (rowPath === null ? null : messageValue(RED, msg, rowPath));
    const rendered = text.render(sample !== null || isRow(row) ? [row as object, msg] : [msg], outside);
    const numberCell = isRow(row) ? text.numberIn(row) : null;
    if (numberCell !== null) {
      onNumberCell(numberCell);
    }
    if (typeof rendered !== "string") {
      throw fail("FIELD_UNRESOLVED", toProblem(rendered, isTest));
    }
    return rendered;
  };
  const slow = contexts.length > 0;
  const fetchSlowly = async (msg: NodeMessage): Promise<string> => {
    const read = contexts.map(async (path) => [path, await contextValue(node, path)] as const);
    return render(msg, new Map([...fixed, ...(await Promise.all(read))]));
  };
  const fetch = slow ? fetchSlowly : (msg: NodeMessage) => render(msg, fixed);
  return { fetch, slow, property: null, origin: { kind: "list", name: "" } };
}

/** @throws FieldError */
function parse(template: string, fail: FailOf): PersonalText {
  try {
    return new PersonalText(template);
  } catch (error) {
    if (!(error instanceof PersonalTextError)) {
      throw error;
    }
    throw fail("FIELD_INVALID", say(`sources.personal.${error.reason}`, { place: error.index + 1 }));
  }
}

/** Environment variables do not change until the next deploy. */
function readVariables(RED: NodeAPI, node: Node, { outside }: PersonalText): OutsideValues {
  const values = new Map<string, unknown>();
  for (const path of outside) {
    const name = ENV.exec(path)?.[1];
    if (name !== undefined) {
      values.set(path, RED.util.evaluateNodeProperty(name, "env", node, {}));
    }
  }
  return values;
}

function contextValue(node: Node, path: string): Promise<unknown> {
  const [, scope, store, key] = CONTEXT.exec(path) as unknown as [
    string,
    "flow" | "global",
    string?,
    string?,
  ];
  return new Promise((resolve, reject) => {
    node
      .context()
      [scope].get(key as string, store, (error: Error | null, value: unknown) =>
        error ? reject(error) : resolve(value),
      );
  });
}

function toProblem(faults: readonly PathFault[], isTest: boolean): string {
  const missing = faults.filter(({ reason }) => reason === "no-value");
  const shown = [...new Set((missing.length > 0 ? missing : faults).map(({ path }) => `{{${path}}}`))];
  const more = shown.length > NAMED ? ", …" : "";
  const paths = `${shown.slice(0, NAMED).join(", ")}${more}`;
  const noValue = isTest ? "sources.personal.no-value-in-test" : "sources.personal.no-value";
  return say(missing.length > 0 ? noValue : "sources.personal.not-text", { paths });
}
