import { parseSync } from "@swc/core";

/** A small change of a source file that a test should notice. Offsets are bytes. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** What was there, shortened. */
  readonly was: string;
  readonly line: number;
}

const OPERATORS: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
  "??": "&&",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
};

/** In the text of statements. */
const IN_SQL: Readonly<Record<string, string>> = {
  AND: " OR ",
  OR: " AND ",
  "=": " <> ",
  "<": " > ",
  ">": " < ",
  "<=": " > ",
  ">=": " < ",
  ASC: " DESC ",
  DESC: " ASC ",
  "IS NULL": " IS NOT NULL ",
  "IS NOT NULL": " IS NULL ",
};

/** The parser counts from 1, and a file begins with its first token: this one is always there. */
const FIRST = "0;";

interface Node {
  readonly type: string;
  readonly span: { readonly start: number; readonly end: number };
  readonly [field: string]: unknown;
}

/** All mutants of a file: operators, conditions, flags and numbers changed, calls left out, values returned as undefined. */
export function mutantsOf(source: string): Mutant[] {
  const bytes = Buffer.from(FIRST + source);
  const mutants: Mutant[] = [];
  const add = (from: number, to: number, text: string): void => {
    const start = from - 1;
    const end = to - 1;
    const was = bytes.subarray(start, end).toString();
    if (was === text) return;
    const line = bytes.subarray(0, start).toString().split("\n").length;
    mutants.push({ start: start - FIRST.length, end: end - FIRST.length, text, was: was.slice(0, 60), line });
  };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const each of value) visit(each);
      return;
    }
    if (typeof value !== "object" || value === null) return;
    const node = value as Node;
    if (typeof node.type === "string" && /^Ts(?!As|NonNull|Satisfies)/.test(node.type)) return;
    change(node);
    for (const field of Object.values(node)) visit(field);
  };
  const change = (node: Node): void => {
    const { type, span } = node;
    if (type === "BinaryExpression") {
      const { left, right, operator } = node as unknown as { left: Node; right: Node; operator: string };
      const other = OPERATORS[operator];
      if (other === undefined) return;
      const between = bytes.subarray(left.span.end - 1, right.span.start - 1).toString();
      const at = between.indexOf(operator);
      if (at < 0 || between.includes("//") || between.includes("/*")) return;
      const start = left.span.end + Buffer.byteLength(between.slice(0, at));
      add(start, start + operator.length, other);
    } else if (type === "IfStatement" || type === "ConditionalExpression") {
      const { test } = node as unknown as { test: Node };
      add(
        test.span.start,
        test.span.end,
        `!(${bytes.subarray(test.span.start - 1, test.span.end - 1).toString()})`,
      );
    } else if (type === "BooleanLiteral") {
      add(span.start, span.end, String(!node.value));
    } else if (type === "NumericLiteral" && span.start > FIRST.length) {
      const value = Number(node.value);
      add(span.start, span.end, String(value < 10 ? value + 1 : 0));
    } else if (type === "TemplateElement" || type === "StringLiteral") {
      const text = bytes.subarray(span.start - 1, span.end - 1).toString();
      if (!/\b(SELECT|UPDATE|DELETE|WHERE|SET)\b/.test(text)) return;
      for (const { index, 0: word } of text.matchAll(
        / (AND|OR|=|<|>|<=|>=|ASC|DESC|IS NULL|IS NOT NULL) ?/g,
      )) {
        const start = span.start + Buffer.byteLength(text.slice(0, index));
        add(start, start + word.length, IN_SQL[word.trim()] ?? word);
      }
    } else if (type === "ReturnStatement" && node.argument) {
      const { span: inner } = node.argument as Node;
      add(inner.start, inner.end, "undefined as never");
    } else if (type === "ExpressionStatement") {
      const { type: kind } = node.expression as Node;
      if (kind === "CallExpression" || kind === "AssignmentExpression" || kind === "AwaitExpression")
        add(span.start, span.end, ";");
    }
  };
  visit(parseSync(FIRST + source, { syntax: "typescript" }).body);
  return mutants;
}

/** The source with one of its mutants. */
export function mutated(source: string, { start, end, text }: Mutant): string {
  const bytes = Buffer.from(source);
  return `${bytes.subarray(0, start).toString()}${text}${bytes.subarray(end).toString()}`;
}
