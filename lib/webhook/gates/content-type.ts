import type { IncomingMessage } from "node:http";
import type { RefusalReason } from "./refusals";

const UTF8 = new Set(["utf-8", "utf8", "us-ascii", "ascii"]);

/** Accepts uncompressed JSON in UTF-8, because a compressed body can grow large. */
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
