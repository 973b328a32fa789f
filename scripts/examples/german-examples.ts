import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ExampleNode, translateNode } from "./example-texts";

/** The German texts of one example, in `scripts/examples/de/<number>.json`. */
interface Table {
  /** Name of the German file, without the extension. */
  readonly file: string;
  /** What people read, by the English text. */
  readonly texts: Readonly<Record<string, string>>;
  /** Single words in code and settings that are not to stay as they are, such as a reply or a file name. */
  readonly values?: Readonly<Record<string, string>>;
}

/** A German example, made from the English one. */
export interface GermanExample {
  /** From the top of the repository. */
  readonly path: string;
  /** Path of the English one. */
  readonly from: string;
  readonly text: string;
}

export interface GermanExamples {
  readonly examples: readonly GermanExample[];
  /** What is missing or too much in the tables, as sentences that say what to do; empty when all is well. */
  readonly problems: readonly string[];
}

const FOLDER = "examples";
const TABLES = "scripts/examples/de";

/** Texts of several examples. */
const COMMON = "common.json";

/** Makes `examples/de` from the English examples and the tables of their texts. A missing text stays English. */
export async function germanExamples(root: string): Promise<GermanExamples> {
  const common = (await readTable(root, COMMON))?.texts ?? {};
  const usedInCommon = new Set<string>();
  const problems: string[] = [];
  const examples: GermanExample[] = [];
  const files = (await readdir(join(root, FOLDER))).filter((file) => file.endsWith(".json")).sort();
  for (const file of files) {
    const from = `${FOLDER}/${file}`;
    const tableName = `${/^\d*/.exec(file)?.[0]}.json`;
    const table = await readTable(root, tableName);
    if (table === null) {
      problems.push(`${from} has no German texts: write them into ${TABLES}/${tableName}, as beside it`);
    }
    const nodes: readonly ExampleNode[] = JSON.parse(await readFile(join(root, from), "utf8"));
    const lookup = new Lookup(table ?? { file: "", texts: {} }, common, usedInCommon);
    const german = nodes.map((node) => translateNode(node, lookup));
    examples.push({
      path: `${FOLDER}/de/${table?.file ?? file.replace(/\.json$/, "")}.json`,
      from,
      text: `${JSON.stringify(withOwnIds(german), null, 2)}\n`,
    });
    problems.push(...lookup.problems(from, `${TABLES}/${tableName}`));
  }
  for (const text of Object.keys(common).filter((each) => !usedInCommon.has(each))) {
    problems.push(
      `No example has this text any more: delete it from ${TABLES}/${COMMON}: ${JSON.stringify(text)}`,
    );
  }
  const numbers = new Set(files.map((file) => `${/^\d*/.exec(file)?.[0]}.json`));
  for (const table of await readdir(join(root, TABLES))) {
    if (table !== COMMON && !numbers.has(table)) {
      problems.push(`${TABLES}/${table} belongs to no example: rename it like its example, or delete it`);
    }
  }
  return { examples, problems };
}

async function readTable(root: string, name: string): Promise<Table | null> {
  const text = await readFile(join(root, TABLES, name), "utf8").catch(() => null);
  return text === null ? null : JSON.parse(text);
}

/** Looks up the texts of one example, and keeps account of what is missing. */
class Lookup {
  readonly #missing = new Set<string>();
  readonly #used = new Set<string>();

  constructor(
    readonly table: Table,
    readonly common: Readonly<Record<string, string>>,
    readonly usedInCommon: Set<string>,
  ) {}

  words(text: string): string {
    const own = this.table.texts[text];
    if (own !== undefined) {
      this.#used.add(text);
      return own;
    }
    // "Demo account 07" is "Demo account" with its number.
    const [, stem = text, number = ""] = /^(.*?)( \d\d)?$/s.exec(text) ?? [];
    const shared = this.common[text] ?? this.common[stem];
    if (shared === undefined) {
      this.#missing.add(text);
      return text;
    }
    this.usedInCommon.add(this.common[text] === undefined ? stem : text);
    return this.common[text] === undefined ? `${shared}${number}` : shared;
  }

  value(text: string): string {
    const german = this.table.values?.[text];
    if (german !== undefined) {
      this.#used.add(text);
    }
    return german ?? text;
  }

  problems(example: string, table: string): readonly string[] {
    const { texts, values = {} } = this.table;
    const unused = [...Object.keys(texts), ...Object.keys(values)].filter((text) => !this.#used.has(text));
    return [
      ...[...this.#missing].map(
        (text) =>
          `${example} has a text without a German one: add it to "texts" in ${table}, then run npm run docs: ${JSON.stringify(text)}`,
      ),
      ...unused.map(
        (text) => `${example} has no such text: delete or mend it in ${table}: ${JSON.stringify(text)}`,
      ),
    ];
  }
}

/** Gives nodes ids of their own, wherever these occur; the same each time. */
function withOwnIds(nodes: readonly ExampleNode[]): unknown {
  const own = new Map(
    nodes.map(({ id }) => [id, createHash("sha256").update(`de ${id}`).digest("hex").slice(0, 16)]),
  );
  const renamed = (value: unknown): unknown => {
    if (typeof value === "string") {
      return own.get(value) ?? value;
    }
    if (Array.isArray(value)) {
      return value.map(renamed);
    }
    return typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, renamed(each)]))
      : value;
  };
  return nodes.map(renamed);
}
