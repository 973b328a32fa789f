import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expandFields } from "./build/expand-fields";
import { expandIncludes } from "./build/expand-includes";
import { registeredNodes } from "./build/registered";
import { runMain } from "./run-main";

/**
 * Checks words and files that no compiler reads: links and labels in guides, catalogues in both languages, texts of
 * forms, and example flows. Prints one line for each fault.
 */

const ROOT = join(__dirname, "..");
const MODULE = "@messaging-service/node-red-messaging/";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Lists files below folders by their paths from the top of the repository. */
const listFiles = (ending: RegExp, ...folders: readonly string[]): readonly string[] =>
  folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) =>
        join(folder, path),
      ),
    )
    .filter((path) => ending.test(path));

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(
    ([whole, ...groups]) => groups.find((group) => group !== undefined) ?? whole,
  );

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// Guides

const withoutCode = (text: string): string => text.replace(/^( *)```[^\n]*\n[\s\S]*?^\1```$/gm, "");

/** Returns anchors of headings as GitHub makes them. */
function getAnchors(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const heading of matches(withoutCode(text), /^#{1,6} (.+)$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const plain = words.replace(/[^\p{L}\p{N}\p{M} _-]/gu, "").replaceAll(" ", "-");
    let anchor = plain;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${plain}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

function checkLinks(): readonly string[] {
  const pages = [
    ...readdirSync(ROOT).filter((name) => name.endsWith(".md")),
    ...listFiles(/\.md$/, "docs", "simulator"),
  ];
  return pages.flatMap((path) =>
    matches(withoutCode(read(path)), /\]\(([^)\s]+)\)|<img src="([^"]+)"/g)
      .filter((link) => !/^[a-z]+:/.test(link))
      .flatMap((link) => {
        const [file = "", anchor] = link.split("#");
        const target = file === "" ? path : join(dirname(path), file);
        if (!existsSync(join(ROOT, target))) return [`${path}: ${link} does not exist`];
        const isFound = anchor === undefined || getAnchors(read(target)).has(anchor);
        return isFound ? [] : [`${path}: ${link} has no such heading`];
      }),
  );
}

/** Returns a test for texts that the editor shows; a text that ends with " …" may be cut. */
function makeLabelTest(): (label: string) => boolean {
  const files = [
    ...listFiles(/locales[\\/]en-US[\\/][^\\/]+\.json$/, "nodes", "plugins"),
    "lib/texts/en-US/badges.json",
  ];
  const texts = files.flatMap((path) => [...readCatalogue(path).values()]);
  const known = new Set(texts.map((text) => text.replace(/:$/, "")));
  const filled = texts
    .map((text) => text.split(/__\w+?__/))
    // A text that is hardly more than a placeholder matches everything.
    .filter((parts) => parts.length > 1 && parts.join("").trim().length > 3)
    .map((parts) => new RegExp(`^${parts.map(escapePattern).join(".+")}$`));
  return (label) =>
    label.endsWith(" …")
      ? texts.some((text) => text.startsWith(label.slice(0, -2)))
      : known.has(label) || filled.some((pattern) => pattern.test(label));
}

function checkLabels(): readonly string[] {
  const isLabel = makeLabelTest();
  return readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md") && name !== "outcomes.md")
    .map((name) => join("docs", name))
    .flatMap((path) =>
      [...withoutCode(read(path)).matchAll(/\*\*([^*]+)\*\*( …)?/g)]
        .map(([, words = "", more = ""]) => words.replace(/\s+/g, " ") + more)
        .filter((words) => !isLabel(words))
        .map((words) => `${path}: no dialog has **${words}**`),
    );
}

// Catalogues

/** Reads a catalogue, each text by its complete key. */
function readCatalogue(path: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const collect = (value: object, prefix: string): void => {
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === "string") texts.set(prefix + key, inner);
      else collect(inner, `${prefix}${key}.`);
    }
  };
  collect(JSON.parse(read(path)), "");
  return texts;
}

const getTags = (text: string): readonly string[] => matches(text, /<\/?[a-z]\w*/g);
const getMarks = (text: string): string =>
  matches(text, /__\w+?__|<\/?[a-z]\w*/g)
    .toSorted()
    .join(" ");

function compareCatalogues(english: string, german: string): readonly string[] {
  const [base, own] = [readCatalogue(english), readCatalogue(german)];
  return [...new Set([...base.keys(), ...own.keys()])].flatMap((key) => {
    const [text, translation] = [base.get(key), own.get(key)];
    if (text === undefined || translation === undefined) return [`${german}: ${key} is in one language only`];
    return getMarks(text) === getMarks(translation)
      ? []
      : [`${german}: ${key} has other placeholders or tags`];
  });
}

/** Compares blocks in their order and inline tags by their number, because words of a sentence change places. */
function compareHelp(english: string, german: string): readonly string[] {
  const [base, own] = [getTags(read(english)), getTags(read(german))];
  const isInline = (tag: string): boolean => /^<\/?(?:a|b|code|i|span)$/.test(tag);
  const getShape = (tags: readonly string[]): string =>
    [...tags.filter((tag) => !isInline(tag)), ...tags.filter(isInline).toSorted()].join(" ");
  return getShape(base) === getShape(own) ? [] : [`${german}: the help has other tags`];
}

function checkCatalogues(): readonly string[] {
  const files = listFiles(/[\\/](?:en-US|de)[\\/][^\\/]+\.(?:json|html)$/, "nodes", "plugins", "lib");
  return files.flatMap((path) => {
    const isEnglish = basename(dirname(path)) === "en-US";
    const other = join(dirname(dirname(path)), isEnglish ? "de" : "en-US", basename(path));
    if (!existsSync(join(ROOT, other))) return [`${other} is missing`];
    if (!isEnglish) return [];
    return path.endsWith(".json") ? compareCatalogues(path, other) : compareHelp(path, other);
  });
}

/** Checks that each key of a form has a text in its catalogue or in one of Node-RED. */
async function checkForms(): Promise<readonly string[]> {
  const core = readCatalogue("node_modules/@node-red/nodes/locales/en-US/messages.json");
  const nodes = await registeredNodes(ROOT);
  const catalogues = new Map(
    nodes.map(({ folder, stem }) => [stem, readCatalogue(`nodes/${folder}/locales/en-US/${stem}.json`)]),
  );
  const faults: string[] = [];
  for (const { folder, stem } of nodes) {
    const form = await expandFields(ROOT, await expandIncludes(ROOT, read(`nodes/${folder}/${stem}.html`)));
    const keys = matches(form, /data-i18n="([^"]*)"/g).flatMap((each) => each.split(";"));
    for (const key of keys.map((each) => each.replace(/^\[[^\]]*\]/, ""))) {
      const [catalogue = "", name = ""] = key.includes(":")
        ? key.replace(MODULE, "").split(":")
        : [stem, key];
      const texts = catalogue === "node-red" ? core : catalogues.get(catalogue);
      if (texts?.has(name) !== true) faults.push(`nodes/${folder}/${stem}.html: ${key} has no text`);
    }
  }
  return faults;
}

// Examples

interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
  readonly z?: string;
  readonly x?: number;
  readonly y?: number;
  readonly wires?: readonly (readonly string[])[];
  readonly links?: readonly string[];
}

/** The side of the editor's canvas in pixels. */
const CANVAS = 8000;
const SECRET = /^(?:credentials|password|clientSecret|accessToken|storeUrl|secret)$/;

function checkExample(path: string, types: ReadonlySet<string>): readonly string[] {
  let nodes: readonly FlowNode[];
  try {
    nodes = JSON.parse(read(path));
  } catch (error) {
    return [`${path}: ${String(error)}`];
  }
  const ids = new Set(nodes.map(({ id }) => id));
  const faults = ids.size === nodes.length ? [] : [`${path}: two nodes have one id`];
  const taken = new Set<string>();
  const report = (isWrong: boolean, { type, id, name }: FlowNode, what: string): void => {
    if (isWrong) faults.push(`${path}: ${type} ${name || id} ${what}`);
  };
  for (const node of nodes) {
    const { type, name = "", z = "", x, y, wires = [], links = [] } = node;
    report(!types.has(type) && !type.startsWith("ui-"), node, "has an unknown type");
    const targets = [...wires.flat(), ...links, ...(z === "" ? [] : [z])];
    report(!targets.every((id) => ids.has(id)), node, "names a node that does not exist");
    report(
      Object.keys(node).some((key) => SECRET.test(key)),
      node,
      "has credentials",
    );
    const label = `${z} ${type} ${name}`;
    const isLabelled = name !== "" && type !== "link out";
    report(isLabelled && taken.has(label), node, "has the label of another node");
    taken.add(label);
    if (x === undefined || y === undefined || type === "group") continue;
    report(!(x > 0 && y > 0 && x < CANVAS && y < CANVAS), node, "is outside the canvas");
    report(taken.has(`${z} ${x},${y}`), node, "lies on another node");
    taken.add(`${z} ${x},${y}`);
  }
  return faults;
}

async function checkExamples(): Promise<readonly string[]> {
  const core = listFiles(/\.js$/, "node_modules/@node-red/nodes/core").flatMap((path) =>
    matches(read(path), /registerType\(["']([^"']+)["']/g),
  );
  const own = (await registeredNodes(ROOT)).map(({ type }) => type);
  const types = new Set([...core, ...own, "tab", "group", "global-config"]);
  return readdirSync(join(ROOT, "examples"))
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => checkExample(join("examples", name), types));
}

runMain(async () => {
  const ofFiles = [...checkLinks(), ...checkLabels(), ...checkCatalogues()];
  const faults = [...ofFiles, ...(await checkForms()), ...(await checkExamples())];
  for (const fault of faults) console.error(fault);
  return faults.length === 0 ? 0 : 1;
});
