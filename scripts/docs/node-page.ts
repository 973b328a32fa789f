import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expandIncludes } from "../build/expand-includes";
import type { RegisteredNode } from "../build/registered";
import { dialogLabels } from "./dialog-labels";
import { GALLERY } from "../../test/support/editor/gallery";
import { helpToMarkdown } from "./help-to-markdown";

/** Names of the example flows in which a type of node occurs. */
async function examplesWith(root: string, type: string): Promise<readonly string[]> {
  const folder = join(root, "examples");
  const names: string[] = [];
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(".json")).sort()) {
    const flow: readonly { readonly type: string }[] = JSON.parse(await readFile(join(folder, file), "utf8"));
    if (flow.some((node) => node.type === type)) {
      names.push(file.replace(/\.json$/, ""));
    }
  }
  return names;
}

/** Pictures of the dialog of a type of node, one for each kind of message. */
const picturesOf = (type: string): readonly string[] =>
  type === "messaging-account"
    ? ["messaging-account-simulator", "messaging-account-service"]
    : GALLERY.filter((shot) => shot.type === type).map(({ file }) => file);

/** The page of one node: what its help says, the examples that use it, and the labels of its dialog. */
export async function nodePage(root: string, node: RegisteredNode): Promise<string> {
  const { type, folder, stem } = node;
  const locales = join(root, "nodes", folder, "locales", "en-US");
  const help = await expandIncludes(root, await readFile(join(locales, `${stem}.html`), "utf8"));
  const texts = JSON.parse(await readFile(join(locales, `${stem}.json`), "utf8"));
  const examples = type === "messaging-account" ? [] : await examplesWith(root, type);
  const parts = [
    "<!-- Made from the help of the node by `npm run docs`; change it there. -->",
    `# ${type}`,
    `In the palette and in the editor: *${texts[stem].palette}*. The same text stands in the editor's help sidebar.`,
    helpToMarkdown(help),
  ];
  if (examples.length > 0) {
    const list = examples.map((name) => `- *${name}*`).join("\n");
    parts.push(`## Examples\n\nIn *Menu → Import → Examples*:\n\n${list}`);
  }
  const pictures = picturesOf(type).map((file) => `![${file}](../screenshots/${type}/${file}.png)`);
  parts.push("## Dialog", "Groups, labels and choices:", await dialogLabels(root, node), ...pictures);
  return `${parts.join("\n\n")}\n`;
}
