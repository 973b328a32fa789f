import type { Config } from "../../../node/flow";

/** Settings of a node, in short. */

export const PICTURE = "https://example.com/a.png";
/** A character that counts as one and is two UTF-16 units long. */
export const WIDE = "\u{1F600}";

export const literal = (name: string, source: string, value: string): Config => ({
  [name]: value,
  [`${name}Source`]: source,
});
export const list = (name: string, ...texts: string[]): Config => ({
  [name]: texts.map((value) => ({ value, source: "str" })),
  [`${name}Source`]: "list",
});
export const literals = (source: string, values: Readonly<Record<string, string>>): Config =>
  Object.assign({}, ...Object.entries(values).map(([name, value]) => literal(name, source, value)));

export const reply = (displayText: string, data = displayText) => ({
  reply: { displayText, postback: { data } },
});
/** What a node sends for a message. */
export interface Case {
  readonly sender: Config;
  readonly msg: Config;
  readonly RCSMessage: object;
}
