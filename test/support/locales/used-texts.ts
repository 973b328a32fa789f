import { pathsBelow, sourceText } from "./locale-files";

/** A key that editor code asks for. `*` stands for what only the running editor knows, at least one character. */
export interface UsedKey {
  readonly file: string;
  readonly pattern: string;
}

const CALL = /\b(texts|sharedTexts|say)\(\s*/g;

/** The first argument of a call, from `at` on: up to the comma or bracket that ends it. */
function firstArgument(code: string, at: number): string {
  let depth = 0;
  let quote = "";
  for (let i = at; i < code.length; i++) {
    const sign = code[i] ?? "";
    if (quote !== "") {
      quote = sign === quote ? "" : quote;
    } else if (`"'`.includes(sign)) {
      quote = sign;
    } else if ("({[".includes(sign)) {
      depth++;
    } else if (depth === 0 && ",)".includes(sign)) {
      return code.slice(at, i);
    } else if (")}]".includes(sign)) {
      depth--;
    }
  }
  return code.slice(at);
}

const strings = (code: string): readonly string[] =>
  [...code.matchAll(/"([^"]*)"/g)].map(([, text = ""]) => text);

/** The words that an expression chooses among, after its last `?`; `*` where it computes one. */
function choices(expression: string): readonly string[] {
  const question = expression.indexOf("?");
  const found = question === -1 ? [] : strings(expression.slice(question));
  return found.length > 0 ? found : ["*"];
}

/** Every key that one argument can be. */
function patternsOf(argument: string): readonly string[] {
  const template = /^`([\s\S]*)`$/.exec(argument.trim())?.[1];
  if (template === undefined) {
    const chosen = argument.slice(argument.indexOf("?") + 1);
    return chosen.includes("`")
      ? [...chosen.matchAll(/`[^`]*`|"[^"]*"/g)].flatMap(([part]) => patternsOf(part))
      : strings(chosen);
  }
  let patterns = [""];
  for (const part of template.split(/(\$\{[^}]*\})/)) {
    const ends = part.startsWith("${") ? choices(part) : [part];
    patterns = patterns.flatMap((start) => ends.map((end) => start + end));
  }
  return patterns;
}

/** What each function puts before its keys; a `say` of the file's own, by the template that ends in its parameter. */
function prefixes(code: string): Readonly<Record<string, string>> {
  const [, from = "", prefix = ""] = /\b(texts|sharedTexts)\(\s*`([\w.-]+\.)\$\{key\}`/.exec(code) ?? [];
  return {
    texts: "",
    sharedTexts: "editor.",
    say: `${from === "sharedTexts" ? "editor." : ""}${prefix}`,
  };
}

function keysIn(file: string): readonly UsedKey[] {
  const code = sourceText(file) ?? "";
  const prefix = prefixes(code);
  return [...code.matchAll(CALL)].flatMap((call) =>
    patternsOf(firstArgument(code, call.index + call[0].length)).map((key) => ({
      file,
      pattern: `${prefix[call[1] ?? ""]}${key}`,
    })),
  );
}

/**
 * Every key in the code of dialogs, as far as the code tells it. Keys of a dialog's own texts have no
 * node's name in front, for shared code asks for them by the texts of the node that it works for.
 */
export function keysInCode(): readonly UsedKey[] {
  const speaking = pathsBelow("lib/editor", "nodes", "plugins").filter((file) =>
    /^lib[\\/].*\.ts$|\.editor\.ts$/.test(file),
  );
  return speaking.flatMap(keysIn).filter(({ pattern }) => /[\w-]/.test(pattern));
}

/** Every key of a form's `data-i18n`, without what names the attribute: `[html]a.b;[title]c` gives two. */
export const keysInHtml = (html: string): readonly string[] =>
  [...html.matchAll(/data-i18n="([^"]*)"/g)].flatMap(([, keys = ""]) =>
    keys.split(";").map((key) => key.replace(/^\[[^\]]*\]/, "")),
  );

/** Whether a key fits a pattern. */
export const fits = (key: string, pattern: string): boolean =>
  new RegExp(`^${pattern.split("*").map(escapeRegExp).join(".+")}$`).test(key);

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
