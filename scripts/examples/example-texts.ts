/** A node of an example flow, as it stands in its file. */
export type ExampleNode = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string };

/**
 * How a text of an example is translated. `words` are what people read, and need a translation. A `value` may be a
 * word, a path, a file name or a setting; it stays as it is unless the table says otherwise.
 */
export interface TextTranslator {
  words(text: string): string;
  value(text: string): string;
}

/** Texts that people read, whatever they look like. */
const WORDS = new Set(["name", "label", "info"]);

/** Properties that hold no text: how nodes hang together, and settings of which some look like words. */
const NO_TEXT = new Set([
  "id",
  "type",
  "z",
  "g",
  "wires",
  "links",
  "nodes",
  "scope",
  "account",
  "style",
  "headers",
  "stopWords",
  "startWords",
]);

/** The property that says where the value of another one comes from, by the other one; the rest are built from the name. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  v: ["vt"],
  to: ["tot"],
  complete: ["targetType"],
  statusVal: ["statusType"],
  value: ["source"],
};

/** Sources whose value is code with texts in quotes. */
const CODE = new Set(["jsonata", "json", "bin"]);

/** Sources whose value is a text, or not said. */
const TEXT = new Set(["str", "re", "auto", ""]);

/** Comments and texts in quotes. */
const QUOTED =
  /\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

/** Gives the node with its texts in another language; nothing else of it changes. */
export function translateNode(node: ExampleNode, translator: TextTranslator): ExampleNode {
  return object(node, translator) as ExampleNode;
}

function object(from: Readonly<Record<string, unknown>>, translator: TextTranslator): unknown {
  return Object.fromEntries(
    Object.entries(from).map(([key, value]) => [
      key,
      NO_TEXT.has(key) ? value : member(from, key, value, translator),
    ]),
  );
}

function member(
  from: Readonly<Record<string, unknown>>,
  key: string,
  value: unknown,
  translator: TextTranslator,
): unknown {
  if (typeof value !== "string") {
    return nested(value, translator);
  }
  if (WORDS.has(key)) {
    // By lines: a paragraph that changes needs a new translation, the others keep theirs.
    return value.replace(/[^\n]+/g, (line) => (/\p{L}/u.test(line) ? translator.words(line) : line));
  }
  const source = sourceOf(from, key);
  if (key === "func" || CODE.has(source)) {
    return code(value, translator);
  }
  return TEXT.has(source) ? text(value, translator) : value;
}

function nested(value: unknown, translator: TextTranslator): unknown {
  if (Array.isArray(value)) {
    return value.map((each) => nested(each, translator));
  }
  if (typeof value === "string") {
    return text(value, translator);
  }
  return typeof value === "object" && value !== null
    ? object(value as Readonly<Record<string, unknown>>, translator)
    : value;
}

function sourceOf(from: Readonly<Record<string, unknown>>, key: string): string {
  const names = [...(SOURCES[key] ?? []), `${key}Source`, `${key}Type`];
  const source = names.map((name) => from[name]).find((each) => typeof each === "string");
  return typeof source === "string" ? source : "";
}

function text(value: string, translator: TextTranslator): string {
  return looksLikeWords(value) ? translator.words(value) : translator.value(value);
}

function code(value: string, translator: TextTranslator): string {
  return value.replace(QUOTED, (quoted) => {
    const [open, close] = quoted.startsWith("/*") ? ["/*", "*/"] : quoted.startsWith("//") ? ["//", ""] : [];
    if (open !== undefined && close !== undefined) {
      const said = quoted.slice(open.length, quoted.length - close.length);
      return `${open}${said.replace(said.trim(), translator.words(said.trim()))}${close}`;
    }
    const quote = quoted.charAt(0);
    return `${quote}${text(quoted.slice(1, -1), translator)}${quote}`;
  });
}

const DURATION = /^\d+ ?(?:s|min|h|d)$/;

/** Of JSONata's `$moment`. */
const DATE_FORMAT = /^[YMDHms: -]+$/;

/** Whether people read a text: it has several words, or one with a capital letter. */
function looksLikeWords(value: string): boolean {
  const own = value.replace(/\{\{[^}]*\}\}|\$\{[^}]*\}/g, "");
  if (!/\p{L}/u.test(own) || DURATION.test(own) || DATE_FORMAT.test(own)) {
    return false;
  }
  return /\s/.test(own) || /^\p{Lu}[\p{L}!?.]*$/u.test(own);
}
