import TurndownService from "turndown";

/** What is used of an element of turndown's DOM; the types of browsers are not loaded here. */
interface HtmlElement {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly className: string;
  readonly textContent: string;
  readonly parentNode: HtmlElement;
  readonly nextElementSibling: HtmlElement | null;
  readonly childNodes: ArrayLike<HtmlElement>;
  getAttribute(name: string): string | null;
  querySelector(selector: string): HtmlElement | null;
}

/** Gives the Markdown of an element from that of its content. */
type Rule = (content: string, element: HtmlElement) => string;

const HELP = /^\s*<script\b[^>]*\bdata-help-name=[^>]*>([\s\S]*)<\/script>\s*$/;

const block: Rule = (content) => `\n\n${content.trim()}\n\n`;
const unchanged: Rule = (content) => content;

const elementsOf = ({ childNodes }: HtmlElement): readonly HtmlElement[] =>
  Array.from(childNodes).filter(({ nodeType }) => nodeType === 1);

/** A line for each entry, without one behind the last. */
const line = (text: string, { nextElementSibling }: HtmlElement): string =>
  nextElementSibling === null ? text : `${text}\n`;

/** A term of a list of properties: names as code, labels of the dialog bold, the type and "optional" behind. */
const term: Rule = (content, element) => {
  const name = content.trim();
  const shown = /^[a-z]/.test(name) ? name.replace(/[\w.]+/g, "`$&`") : `**${name}**`;
  const type = element.querySelector(".property-type")?.textContent;
  const notes = [
    ...(type === undefined ? [] : [type]),
    ...(element.className === "optional" ? ["optional"] : []),
  ];
  return notes.length === 0 ? `- ${shown}` : `- ${shown} (${notes.join(", ")})`;
};

/** An item may hold blocks of its own; they are indented below it. */
const item: Rule = (content, element) => {
  const { parentNode: list } = element;
  const bullet = list.nodeName === "OL" ? `${elementsOf(list).indexOf(element) + 1}.` : "-";
  const lines = content.trim().split(/\n+/);
  return line(`${bullet} ${lines.join(`\n${" ".repeat(bullet.length + 1)}`)}`, element);
};

const row: Rule = (content, element) => {
  const isHead = element.parentNode.nodeName === "THEAD";
  return `${content}|\n${isHead ? `|${"---|".repeat(elementsOf(element).length)}\n` : ""}`;
};

const RULES: Readonly<Record<string, Rule>> = {
  H3: (content) => `\n\n## ${content}\n\n`,
  H4: (content) => `\n\n### ${content}\n\n`,
  P: block,
  PRE: (_content, { textContent }) => `\n\n\`\`\`\n${textContent}\n\`\`\`\n\n`,
  OL: block,
  UL: block,
  LI: item,
  DL: block,
  DT: term,
  DD: (content, element) => line(`: ${content.trim()}`, element),
  TABLE: block,
  THEAD: unchanged,
  TBODY: unchanged,
  TR: row,
  TH: (content) => `| ${content.trim().replaceAll("|", "\\|")} `,
  TD: (content) => `| ${content.trim().replaceAll("|", "\\|")} `,
  B: (content) => `**${content}**`,
  I: (content) => `*${content}*`,
  CODE: (content) => `\`${content}\``,
  A: (content, element) => `[${content}](${element.getAttribute("href")})`,
  BR: () => "<br>",
  // A term puts its type behind the name.
  SPAN: (content, { className }) => (className === "property-type" ? "" : content),
};

function makeService(): TurndownService {
  const service = new TurndownService();
  // Help is written for this: what Markdown would read as a mark is in code, and stays as it is.
  service.escape = (text) => text;
  service.addRule("help", {
    filter: () => true,
    replacement: (content, node) => {
      const element = node as unknown as HtmlElement;
      const rule = RULES[element.nodeName];
      if (rule === undefined) {
        throw new Error(`no Markdown for <${element.nodeName.toLowerCase()}>`);
      }
      return rule(content, element);
    },
  });
  return service;
}

/**
 * Turns the help of a node into Markdown, headings from the second level on.
 * @param html with its includes in place
 * @throws Error for elements that help does not use, and where there is no help
 */
export function helpToMarkdown(html: string): string {
  const help = HELP.exec(html)?.[1];
  if (help === undefined) {
    throw new Error("this is not the help of a node");
  }
  return makeService().turndown(help);
}
