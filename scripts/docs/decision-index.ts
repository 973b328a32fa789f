import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The headings of the subjects, by their folders, in the order of the page. */
const SUBJECTS: Readonly<Record<string, string>> = {
  sending: "Sending",
  people: "Texts and people",
  webhooks: "Webhooks",
  store: "Message store",
  editor: "Editor",
  simulator: "Simulator",
  project: "Project",
};

const FOLDER = "docs/decisions";

/** A line for each record of a folder, by number. @throws Error for a record without a title that has its number */
async function linesOf(root: string, folder: string): Promise<readonly string[]> {
  const files = (await readdir(join(root, FOLDER, folder))).filter((file) => file.endsWith(".md")).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(root, FOLDER, folder, file), "utf8");
      const [, number, title] = /^# (\d+)\. (.+)\n/.exec(text) ?? [];
      if (title === undefined || Number(file.slice(0, 4)) !== Number(number)) {
        throw new Error(`${folder}/${file} does not begin with its number and title`);
      }
      return `- ${number}: [${title}](${folder}/${file})`;
    }),
  );
}

/**
 * The page with the decision records of each subject.
 * @throws Error for a folder without a subject, and for a record without number and title
 */
export async function decisionIndex(root: string): Promise<string> {
  const entries = await readdir(join(root, FOLDER), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const unknown = folders.filter((folder) => !(folder in SUBJECTS));
  if (unknown.length > 0) {
    throw new Error(`no subject for ${unknown.join(", ")}`);
  }
  const parts = await Promise.all(
    Object.entries(SUBJECTS).map(
      async ([folder, heading]) => `## ${heading}\n\n${(await linesOf(root, folder)).join("\n")}`,
    ),
  );
  const top = [
    "<!-- Made from the titles of the decisions by `npm run docs`. -->",
    "# Decisions",
    "Why things are as they are: the context of each decision, what was decided, and the alternatives. Numbers are in the order of time.",
  ];
  return `${[...top, ...parts].join("\n\n")}\n`;
}
