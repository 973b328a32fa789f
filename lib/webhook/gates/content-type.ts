import type { IncomingMessage } from "node:http";
import type { RefusalReason } from "./refusals";

/** US-ASCII is a part of UTF-8. */
const UTF8 = new Set(["utf-8", "utf8", "us-ascii", "ascii"]);

/** Null for uncompressed JSON in UTF-8. A compressed body could become a large one. Other parameters mean nothing for JSON. */
export function checkContentType(req: IncomingMessage): RefusalReason | null {
  const { "content-encoding": encoding = "", "content-type": type = "" } = req.headers;
  if (encoding !== "" && encoding.trim().toLowerCase() !== "identity") {
    return "encoding";
  }
  const [media = "", ...parameters] = type.toLowerCase().split(";");
  if (media.trim() !== "application/json") {
    return "content-type";
  }
  for (const parameter of parameters) {
    const [name = "", value = ""] = parameter.split("=", 2);
    if (name.trim() === "charset" && !UTF8.has(unquoted(value.trim()))) {
      return "charset";
    }
  }
  return null;
}

function unquoted(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}
