import { isAscii } from "node:buffer";

/** Some versions of Node.js decode these as Windows-1252. */
const LATIN1 = /^(iso[-_]?8859-1|latin-?1|l1|(us-)?ascii)$/i;
const UTF8 = /^utf-?8$/i;

const utf8 = new TextDecoder("utf-8", { fatal: true });

function undeclared(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return bytes.toString("latin1");
  }
}

function getDecoder(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset);
  } catch {
    return null;
  }
}

export function decodeText(bytes: Buffer, contentType: string | null): string {
  // Fast path without UTF-16, whose letters have a zero at the start.
  if (isAscii(bytes) && bytes[0] !== 0 && bytes[1] !== 0) {
    return bytes.toString("latin1");
  }
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? "")?.[1] ?? "";
  if (charset === "" || UTF8.test(charset)) {
    return undeclared(bytes);
  }
  return LATIN1.test(charset)
    ? bytes.toString("latin1")
    : (getDecoder(charset)?.decode(bytes) ?? undeclared(bytes));
}
