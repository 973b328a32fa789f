import { elements, type HtmlElement, type HtmlNode, parseHtml } from "./html-tree";

const BLOCKS: ReadonlySet<string> = new Set(["p", "h3", "h4", "dl", "ol", "ul", "table", "pre"]);

const collapse = (text: string): string => text.replace(/\s+/g, " ");

const MARKS: Readonly<Record<string, string>> = { b: "**", i: "*" };

/** Text with marks, on one line. */
function inline(nodes: readonly HtmlNode[]): string {
  return collapse(
    nodes
      .map((node) => {
        if (typeof node === "string") {
          return node;
        }
        const text = inline(node.children);
        switch (node.tag) {
          case "code":
            return `\`${text}\``;
          case "a":
            return `[${text}](${node.attributes.href})`;
          case "br":
            return "<br>";
          case "b":
          case "i":
            return `${MARKS[node.tag]}${text}${MARKS[node.tag]}`;
          case "span":
            return text;
          default:
            throw new Error(`no Markdown for <${node.tag}>`);
        }
      })
      .join(""),
  );
}

/** A term of a list of properties: names as code, labels of the dialog bold, the type and "optional" behind. */
function term({ children, attributes }: HtmlElement): string {
  const type = children.find(
    (child) => typeof child !== "string" && child.attributes.class === "property-type",
  );
  const name = inline(children.filter((child) => child !== type)).trim();
  const shown = /^[a-z]/.test(name) ? name.replace(/[\w.]+/g, "`$&`") : `**${name}**`;
  const notes = [
    ...(type === undefined ? [] : [inline([type])]),
    ...(attributes.class === "optional" ? ["optional"] : []),
  ];
  return notes.length === 0 ? shown : `${shown} (${notes.join(", ")})`;
}

function properties(list: HtmlElement): readonly string[] {
  const lines: string[] = [];
  for (const element of elements(list)) {
    if (element.tag === "dt") {
      lines.push(`- ${term(element)}`);
    } else {
      lines.push(`${lines.pop() ?? "-"}: ${inline(element.children).trim()}`);
    }
  }
  return lines;
}

/** An item may hold blocks of its own; they are indented below it. */
function item({ children }: HtmlElement, bullet: string): readonly string[] {
  const isBlock = (child: HtmlNode): boolean => typeof child !== "string" && BLOCKS.has(child.tag);
  const own = inline(children.filter((child) => !isBlock(child))).trim();
  const inner = children.filter(isBlock).flatMap((child) => block(child as HtmlElement));
  return [`${bullet} ${own}`, ...inner.map((line) => `${" ".repeat(bullet.length + 1)}${line}`)];
}

function table(element: HtmlElement): readonly string[] {
  const rows = elements(element)
    .flatMap((part) => (part.tag === "tr" ? [part] : elements(part)))
    .map((row) => elements(row).map((cell) => inline(cell.children).trim().replaceAll("|", "\\|")));
  const [head = [], ...body] = rows.map((cells) => `| ${cells.join(" | ")} |`);
  const columns = rows[0]?.length ?? 0;
  return [String(head), `|${"---|".repeat(columns)}`, ...body];
}

function block(element: HtmlElement): readonly string[] {
  switch (element.tag) {
    case "h3":
      return [`## ${inline(element.children)}`];
    case "h4":
      return [`### ${inline(element.children)}`];
    case "p":
      return [inline(element.children).trim()];
    case "dl":
      return properties(element);
    case "ol":
      return elements(element).flatMap((child, at) => item(child, `${at + 1}.`));
    case "ul":
      return elements(element).flatMap((child) => item(child, "-"));
    case "table":
      return table(element);
    case "pre":
      return ["```", ...element.children.join("").split("\n"), "```"];
    default:
      throw new Error(`no Markdown for <${element.tag}>`);
  }
}

/**
 * Turns the help of a node into Markdown, headings from the second level on.
 * @param html with its includes in place
 * @throws Error for HTML that help does not use, and where there is no help
 */
export function helpToMarkdown(html: string): string {
  const [script] = elements(parseHtml(html));
  if (script?.attributes["data-help-name"] === undefined) {
    throw new Error("this is not the help of a node");
  }
  return elements(script)
    .map((element) => block(element).join("\n"))
    .join("\n\n");
}
