import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expandFields } from "../build/expand-fields";
import { expandIncludes } from "../build/expand-includes";
import type { RegisteredNode } from "../build/registered";

const ACCOUNT = "@messaging-service/node-red-messaging/messaging-account:";
/** Opening tags of a form that has texts: a group, the label of an input, and a choice of a list. */
const TEXTS =
  /<(summary|label|option)\b[^>]*?(?:>(?:(?!<\/?(?:summary|label|option)\b).)*?)?data-i18n="([^"]+)"/gs;

type Catalogue = Readonly<Record<string, unknown>>;

const textAt = (catalogue: Catalogue, key: string): unknown =>
  key.split(".").reduce<unknown>((value, name) => (value as Catalogue | undefined)?.[name], catalogue);

async function catalogueOf(root: string, folder: string, stem: string): Promise<Catalogue> {
  return JSON.parse(await readFile(join(root, "nodes", folder, "locales", "en-US", `${stem}.json`), "utf8"));
}

/**
 * The labels of the dialog of a node in English, in its order: a line for each group, below it one for each label, with the choices of a list.
 * @throws Error for a text that is not in the catalogues
 */
export async function dialogLabels(root: string, { folder, stem }: RegisteredNode): Promise<string> {
  const [own, account, html] = await Promise.all([
    catalogueOf(root, folder, stem),
    catalogueOf(root, "config", "messaging-account"),
    readFile(join(root, "nodes", folder, `${stem}.html`), "utf8"),
  ]);
  const form = await expandFields(root, await expandIncludes(root, html));
  const lines: string[] = [];
  let choices = 0;
  for (const [, tag, key = ""] of form.matchAll(TEXTS)) {
    // Node-RED's own, such as "Name", are in its catalogue.
    if (key.startsWith("node-red:")) {
      continue;
    }
    const text = key.startsWith(ACCOUNT) ? textAt(account, key.slice(ACCOUNT.length)) : textAt(own, key);
    if (typeof text !== "string") {
      throw new Error(`the form of ${stem} names ${key}, which no catalogue has`);
    }
    if (tag === "option") {
      lines.push(`${lines.pop()}${choices === 0 ? ": " : " · "}${text}`);
      choices++;
      continue;
    }
    choices = 0;
    lines.push(tag === "summary" ? `- *${text}*` : `  - **${text}**`);
  }
  return lines.join("\n");
}
