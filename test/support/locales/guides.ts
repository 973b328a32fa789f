import { readdirSync } from "node:fs";
import { join } from "node:path";
import { originals, pathsBelow, readTexts, ROOT, sourceText, translations } from "./locale-files";

/** What the Markdown pages of this repository hold, as far as tests look at it. */

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Text outside of code blocks, where nothing is a link, a heading or a label. */
const withoutCode = (text: string): string => text.replace(/^( *)```[^\n]*\n[\s\S]*?^\1```$/gm, "");

/** Target of each link and source of each picture, as written. */
export const linksOf = (text: string): readonly string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g)].map(
    ([, target, source]) => target ?? source ?? "",
  );

/** Anchors of the headings, as GitHub makes them. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const plain = words.replace(/[^\p{L}\p{N}\p{M} _-]/gu, "").replaceAll(" ", "-");
    let anchor = plain;
    for (let n = 1; anchors.has(anchor); n++) {
      anchor = `${plain}-${n}`;
    }
    anchors.add(anchor);
  }
  return anchors;
}

/** Code blocks of a language. */
export const codeOf = (text: string, language: string): readonly string[] =>
  [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```$/gm)]
    .filter(([, , named]) => named === language)
    .map(([, , , code = ""]) => code);

/** Pattern for the paths that a pattern of `files` in package.json, or a path of the docs with `*` or `<name>`, means. */
function patternOf(written: string): RegExp {
  const parts = written
    .replace(/\/$/, "")
    .split(/(\*\*\/|\*|<\w+>|\{[\w,]+\})/)
    .map((part) => {
      if (part === "**/") return "(?:.*/)?";
      if (part === "*" || /^<\w+>$/.test(part)) return "[^/]*";
      if (/^\{[\w,]+\}$/.test(part)) return `(?:${part.slice(1, -1).replaceAll(",", "|")})`;
      return escaped(part);
    });
  return new RegExp(`^${parts.join("")}(?:/.*)?$`);
}

/** Whether npm packs a path, by `files` of package.json. */
export function packedBy(files: readonly string[]): (path: string) => boolean {
  const always = /^(?:README\.md|LICENSE|package\.json)$/;
  const out = files.filter((file) => file.startsWith("!")).map((file) => patternOf(file.slice(1)));
  const within = files.filter((file) => !file.startsWith("!")).map(patternOf);
  return (path) =>
    always.test(path) ||
    (within.some((pattern) => pattern.test(path)) && !out.some((pattern) => pattern.test(path)));
}

const FOLDERS = ["lib", "nodes", "plugins", "simulator", "scripts", "test", "docs", "examples", "icons"];

/** What is there below the folders of the repository; a pattern stands for all paths that it fits. */
export function repositoryFiles(): {
  readonly has: (path: string) => boolean;
  readonly hasEnd: (name: string) => boolean;
} {
  const paths = [...FOLDERS, ...pathsBelow(...FOLDERS)];
  const has = (path: string): boolean => {
    const pattern = patternOf(path);
    return paths.some((known) => pattern.test(known));
  };
  return { has, hasEnd: (name) => has(`**/${name}`) };
}

/** Paths of this repository that a page has as code: those below its folders, and names of source files. */
export const pathsOf = (text: string): readonly string[] =>
  [...withoutCode(text).matchAll(/`([\w./*<>{},-]+)`/g)]
    .map(([, path = ""]) => path)
    .filter(
      (path) =>
        /^(?:lib|nodes|plugins|simulator|scripts|test|docs|examples|icons)\/./.test(path) ||
        /\.(?:test|editor|d)?\.?tsx?$/.test(path) ||
        path.endsWith(".test.ts"),
    );

/** Text between single asterisks, without line breaks. */
export const italicsOf = (text: string): readonly string[] =>
  [...withoutCode(text).matchAll(/(?<![\w*])\*(?![\s*])([^*]+)(?<!\s)\*(?![\w*])/g)].map(([, words = ""]) =>
    words.replace(/\s+/g, " "),
  );

/** Text between double asterisks, without line breaks; ends with " …" where the page says that it goes on. */
export const boldOf = (text: string): readonly string[] =>
  [...withoutCode(text).matchAll(/\*\*([^*]+)\*\*( …)?/g)].map(
    ([, words = "", more = ""]) => words.replace(/\s+/g, " ") + more,
  );

/** Whether a text is one that the editor shows in a language; one that ends with " …" may go on there. */
export function labelFinder(language: "en-US" | "de" = "en-US"): (label: string) => boolean {
  const files = [
    ...(language === "de" ? translations() : originals()).map(({ path }) => path),
    // Badges under nodes.
    `lib/texts/${language}/badges`,
  ];
  const texts = files.flatMap((path) => [...readTexts(path).values()]);
  const known = new Set(texts.map((text) => text.replace(/:$/, "")));
  const filled = texts
    .filter((text) => /__\w+__/.test(text))
    .map((text) => text.split(/__\w+?__/))
    // A text that is hardly more than a place would be found in everything.
    .filter((parts) => parts.join("").trim().length > 3)
    .map((parts) => new RegExp(`^${parts.map(escaped).join(".+")}$`));
  return (label) => {
    const begin = label.endsWith(" …") ? label.slice(0, -2) : null;
    return begin === null
      ? known.has(label) || filled.some((pattern) => pattern.test(label))
      : texts.some((text) => text.startsWith(begin));
  };
}

/** Whether words in italics are a label, which may begin a sentence. */
export const isLabelInText = (words: string, isLabel: (label: string) => boolean): boolean =>
  isLabel(words) || isLabel(words.charAt(0).toLowerCase() + words.slice(1));

/** Every page below `docs/`, by its path in the repository. */
export const docsPages = (): readonly string[] => pathsBelow("docs").filter((file) => file.endsWith(".md"));

/** Names of the example flows. */
export const exampleNames = (): ReadonlySet<string> =>
  new Set(
    readdirSync(join(ROOT, "examples"))
      .filter((file) => file.endsWith(".json"))
      .map((file) => file.replace(/\.json$/, "")),
  );

/** A node of an example flow, as far as texts are in it. */
interface ExampleNode {
  readonly type: string;
  readonly name?: string;
  /** Of a comment: its text, in Markdown. */
  readonly info?: string;
}

/** The nodes of each example flow, by the name of the example. */
export const exampleFlows = (): ReadonlyMap<string, readonly ExampleNode[]> =>
  new Map([...exampleNames()].map((name) => [name, JSON.parse(page(`examples/${name}.json`))]));

/** Text of a page. @throws Error when it is missing */
export function page(path: string): string {
  const text = sourceText(path);
  if (text === null) {
    throw new Error(`${path} is missing`);
  }
  return text;
}
