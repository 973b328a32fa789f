import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "@swc/core";
import { pathsBelow, ROOT } from "./locale-files";

/** A call of `say` in the code of the runtime. */
export interface SayCall {
  readonly file: string;
  /** The key, with `*` for each part that only the running code knows. */
  readonly pattern: string;
  /** Names of the values; null where the call does not list them in place. */
  readonly values: readonly string[] | null;
  /** Whether it runs while the module is loaded, before the language is known. */
  readonly atLoad: boolean;
}

/** A text in the code that looks like words for people. */
export interface Sentence {
  readonly file: string;
  readonly text: string;
}

type SyntaxNode = { readonly type: string; readonly [property: string]: unknown };

const FUNCTIONS = /^(?:Function|ArrowFunction|ClassMethod|PrivateMethod|Constructor|Method|Getter|Setter)/;
/** Initial values of fields run for each object, not while the module is loaded. */
const FIELDS = /^(?:ClassProperty|PrivateProperty)$/;
const LEFT_OUT =
  /^(?:ImportDeclaration|Ts\w*Annotation|TsTypeAliasDeclaration|TsInterfaceDeclaration|TsAsExpression.type)$/;

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string";

/** Calls `visit` for each node of a file; `inFunction` is false for what runs while the module is loaded. */
function walk(
  value: unknown,
  visit: (node: SyntaxNode, inFunction: boolean) => void,
  inFunction = false,
): void {
  if (Array.isArray(value)) {
    for (const entry of value) walk(entry, visit, inFunction);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  let inside = inFunction;
  if (isNode(value)) {
    if (LEFT_OUT.test(value.type)) return;
    visit(value, inFunction);
    inside ||= FUNCTIONS.test(value.type) || FIELDS.test(value.type);
  }
  for (const [name, inner] of Object.entries(value)) {
    if (name !== "span" && name !== "typeAnnotation" && name !== "typeParams") walk(inner, visit, inside);
  }
}

/** The text of a literal, with `*` for what a template fills in; null for anything else. */
function textOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === "StringLiteral") return node.value as string;
  return node.type === "TemplateLiteral"
    ? (node.quasis as { cooked: string }[]).map(({ cooked }) => cooked).join("*")
    : null;
}

/** The texts among which an expression chooses. */
function choicesOf(node: unknown): readonly string[] {
  if (isNode(node) && node.type === "ConditionalExpression") {
    return [...choicesOf(node.consequent), ...choicesOf(node.alternate)];
  }
  const text = textOf(node);
  return text === null ? [] : [text];
}

function namesOf(node: unknown): readonly string[] | null {
  if (!isNode(node) || node.type !== "ObjectExpression") return null;
  const properties = node.properties as readonly SyntaxNode[];
  const names = properties.map((property) =>
    property.type === "Identifier"
      ? (property.value as string)
      : property.type === "KeyValueProperty"
        ? ((property.key as SyntaxNode).value as string)
        : null,
  );
  return names.includes(null) ? null : (names as string[]);
}

/** Files of the runtime: everything of `lib` and `nodes` but what the editor loads alone. */
export function runtimeFiles(): readonly string[] {
  return pathsBelow("lib", "nodes").filter(
    (path) => /(?<!\.d)\.ts$/.test(path) && !/^lib.editor|\.editor\.ts$/.test(path),
  );
}

const parse = (code: string): unknown => parseSync(code, { syntax: "typescript", target: "es2022" }).body;

/** Every call of `say` in a file. */
export function sayCalls(file: string, code = readFileSync(join(ROOT, file), "utf8")): readonly SayCall[] {
  const calls: SayCall[] = [];
  walk(parse(code), (node, inFunction) => {
    if (node.type !== "CallExpression" || (node.callee as SyntaxNode).value !== "say") return;
    const [key, values] = (node.arguments as { expression: SyntaxNode }[]).map(
      ({ expression }) => expression,
    );
    for (const pattern of choicesOf(key)) {
      calls.push({ file, pattern, values: values === undefined ? [] : namesOf(values), atLoad: !inFunction });
    }
  });
  return calls;
}

/** Every text of a file that has the form of a key, wherever it stands. */
export function keysNamed(file: string, code = readFileSync(join(ROOT, file), "utf8")): readonly string[] {
  const keys: string[] = [];
  walk(parse(code), (node) => {
    const text = textOf(node);
    if (text !== null && /^[a-z][A-Za-z]*(?:\.[\w*, -]+)+$/.test(text)) keys.push(text);
  });
  return keys;
}

/** Three words or more of lower case in a row, or the end of a sentence. */
const WORDS = /(?:^|[\s(])[a-z]{2,}[,;:]? [a-z]{2,}[,;:]? [a-z]{2,}|[a-z]{2,} [a-z]{2,}\.(?:$|\s)/;

/** Texts of a file that look like words for people. */
export function sentencesIn(
  file: string,
  code = readFileSync(join(ROOT, file), "utf8"),
): readonly Sentence[] {
  const found: Sentence[] = [];
  walk(parse(code), (node) => {
    const text = textOf(node);
    if (text !== null && WORDS.test(text)) found.push({ file, text });
  });
  return found;
}
