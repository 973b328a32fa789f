import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../node-red/packed-package";

const run = promisify(execFile);

/** A cell as LibreOffice has it: what kind of value, and the value without regard to how it is shown. */
export interface SheetCell {
  /** `string`, `float` or `date`; blank for a cell without a value. */
  readonly kind: string;
  readonly value: string;
}

/** Languages by the number that LibreOffice has for them. */
const LANGUAGES = { de: 1031, "en-US": 1033 } as const;

/** Whether LibreOffice is installed. */
export const hasLibreOffice = (): Promise<boolean> =>
  run("soffice", ["--version"]).then(
    () => true,
    () => false,
  );

const plain = (xml: string): string =>
  xml
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");

function cellOf(attributes: string, content: string): readonly SheetCell[] {
  const attribute = (name: string): string | undefined => attributes.match(`office:${name}="([^"]*)"`)?.[1];
  const paragraphs = [...content.matchAll(/<text:p>(.*?)<\/text:p>/gs)].map(([, text = ""]) => text);
  const value =
    attribute("date-value") ?? attribute("value") ?? attribute("string-value") ?? paragraphs.join("\n");
  const cell = { kind: attribute("value-type") ?? "", value: plain(value) };
  const times = Number(attributes.match(/number-columns-repeated="(\d+)"/)?.[1] ?? 1);
  return Array.from({ length: times }, () => cell);
}

/** The cells of a CSV file, row by row, as LibreOffice reads it in a language. */
export async function readInLibreOffice(
  csv: string,
  separator: string,
  language: keyof typeof LANGUAGES,
): Promise<readonly (readonly SheetCell[])[]> {
  const folder = await temporaryFolder("libreoffice");
  await writeFile(join(folder, "table.csv"), csv);
  const utf8 = 76;
  const filter = [separator.charCodeAt(0), '"'.charCodeAt(0), utf8, 1, "", LANGUAGES[language]].join(",");
  await run("soffice", [
    `-env:UserInstallation=file://${folder}/profile`,
    "--headless",
    `--infilter=Text - txt - csv (StarCalc):${filter}`,
    "--convert-to",
    "fods",
    "--outdir",
    folder,
    join(folder, "table.csv"),
  ]);
  const sheet = await readFile(join(folder, "table.fods"), "utf8");
  const rows = sheet.match(/<table:table-row[^>]*>.*?<\/table:table-row>/gs) ?? [];
  return rows.map((row) =>
    [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(
      ([, attributes = "", content = ""]) => cellOf(attributes, content),
    ),
  );
}
