/** An element of a help text, or a piece of text in it. */
export type HtmlNode = HtmlElement | string;

export interface HtmlElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: HtmlNode[];
}

const TOKEN = /<!--[\s\S]*?-->|<(\/?)([a-z][a-z0-9]*)((?:\s+[\w-]+="[^"]*")*)\s*(\/?)>|[^<]+/gi;
const VOID: ReadonlySet<string> = new Set(["br"]);
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', nbsp: " " };

const decode = (text: string): string =>
  text.replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]),
  );

/**
 * Reads the plain HTML that help texts are written in: every element closed, attributes in double quotes.
 * @returns an element without a name around it all
 * @throws Error for what is not closed, and for what this cannot read
 */
export function parseHtml(html: string): HtmlElement {
  const root: HtmlElement = { tag: "", attributes: {}, children: [] };
  const open: HtmlElement[] = [root];
  let end = 0;
  for (const found of html.matchAll(TOKEN)) {
    const [whole, closing, name, attributes = "", selfClosed] = found;
    if (found.index !== end) {
      throw new Error(`cannot read this HTML: ${html.slice(end, end + 60)}`);
    }
    end += whole.length;
    const parent = open.at(-1) ?? root;
    if (whole.startsWith("<!--")) {
      continue;
    }
    if (name === undefined) {
      parent.children.push(decode(whole));
    } else if (closing === "/") {
      if (parent.tag !== name) {
        throw new Error(`</${name}> closes <${parent.tag}>`);
      }
      open.pop();
    } else {
      const element: HtmlElement = { tag: name, attributes: attributesOf(attributes), children: [] };
      parent.children.push(element);
      if (!VOID.has(name) && selfClosed !== "/") {
        open.push(element);
      }
    }
  }
  if (open.length > 1 || end !== html.length) {
    throw new Error(`<${open.at(-1)?.tag}> is not closed`);
  }
  return root;
}

/** The elements directly inside, in their order. */
export const elements = ({ children }: HtmlElement): readonly HtmlElement[] =>
  children.filter((child) => typeof child !== "string");
