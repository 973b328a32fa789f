import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";

/** The headings of the subjects, by their folders, in the order of the page. */
const SUBJECTS: Readonly<Record<string, string>> = {
  sending: "Sending",
  rules: "Delivery rules and limits",
  people: "Texts and people",
  webhooks: "Webhooks",
  store: "Message store",
  editor: "Editor",
  simulator: "Simulator",
  project: "Project",
};

const FOLDER = "docs/decisions";

interface Decision {
  /** Its line of the list. */
  readonly entry: string;
  /** By which later ones it is replaced, as in `, in part by [29](…)`; blank for one that holds. */
  readonly replaced: string;
}

/** @throws Error for a record without a title that has its number */
function decisionOf(folder: string, file: string, text: string): Decision {
  const [, number, title] = /^# (\d+)\. (.+)\n/.exec(text) ?? [];
  if (title === undefined || Number(file.slice(0, 4)) !== Number(number)) {
    throw new Error(`${folder}/${file} does not begin with its number and title`);
  }
  // Right behind the title, with links from the folder of the record.
  const [, part = "", words = ""] = /^.+\n\n\*Replaced( in part)? by (.+)\*\n/.exec(text) ?? [];
  const later = [...words.matchAll(/\[\d+\]\((.+?)\)/g)].map(([link, path = ""]) =>
    link.replace(path, posix.join(folder, path)),
  );
  return {
    entry: `- ${number}: [${title}](${folder}/${file})`,
    replaced: later.length === 0 ? "" : `,${part} by ${new Intl.ListFormat("en-GB").format(later)}`,
  };
}

/** The decisions of a folder, by number. */
async function decisionsOf(root: string, folder: string): Promise<readonly Decision[]> {
  const files = (await readdir(join(root, FOLDER, folder))).filter((file) => file.endsWith(".md")).sort();
  return Promise.all(
    files.map(async (file) =>
      decisionOf(folder, file, await readFile(join(root, FOLDER, folder, file), "utf8")),
    ),
  );
}

function section(heading: string, decisions: readonly Decision[]): string {
  const holding = decisions.filter(({ replaced }) => replaced === "");
  const others = decisions.filter(({ replaced }) => replaced !== "");
  const parts = [`## ${heading}`, holding.map(({ entry }) => entry).join("\n")];
  if (others.length > 0) {
    parts.push("Replaced, wholly or in part:");
    parts.push(others.map(({ entry, replaced }) => entry + replaced).join("\n"));
  }
  return parts.join("\n\n");
}

/**
 * The page with the decision records of each subject: those that hold, then those that later ones replaced.
 * @throws Error for a folder without a subject, and for a record without number and title
 */
export async function decisionIndex(root: string): Promise<string> {
  const entries = await readdir(join(root, FOLDER), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const unknown = folders.filter((folder) => !(folder in SUBJECTS));
  if (unknown.length > 0) {
    throw new Error(`no subject for ${unknown.join(", ")}`);
  }
  const sections = await Promise.all(
    Object.entries(SUBJECTS).map(async ([folder, heading]) =>
      section(heading, await decisionsOf(root, folder)),
    ),
  );
  const top = [
    "<!-- Made from the titles of the decisions by `npm run docs`. -->",
    "# Decisions",
    "Why things are as they are: the context of each decision, what was decided, and the alternatives. Numbers are in the order of time.",
  ];
  return `${[...top, ...sections].join("\n\n")}\n`;
}
