import { trimEnd } from "../../../lib/shared/trim-end";

/** Bytes in UTF-8. File systems allow 255, and a number may be added. */
const LONGEST = 200;
const LONGEST_EXTENSION = 20;
const EXAMINED = { beginning: 1_000, end: 100 } as const;

const INVISIBLE = /[\p{Cc}\p{Cs}\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
/** Not allowed on Windows, where a colon selects another stream of a file. */
const FORBIDDEN = /[<>:"|?*\ufffd]/g;
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i;

const countBytes = (text: string): number => new TextEncoder().encode(text).length;

function cut(text: string, bytes: number): string {
  let result = "";
  let left = bytes;
  for (const character of text) {
    left -= countBytes(character);
    if (left < 0) {
      break;
    }
    result += character;
  }
  return result;
}

export function splitName(name: string): { readonly stem: string; readonly extension: string } {
  const at = name.lastIndexOf(".");
  const extension = at > 0 ? name.slice(at) : "";
  return extension.length > LONGEST_EXTENSION || extension.length < 2
    ? { stem: name, extension: "" }
    : { stem: name.slice(0, at), extension };
}

const isEdge = (character: string): boolean => character === "." || character.trim() === "";

function trimmed(name: string): string {
  let start = 0;
  while (start < name.length && isEdge(name.charAt(start))) {
    start++;
  }
  return trimEnd(name.slice(start), isEdge);
}

/** Drops the middle of a very long name, because the next steps are slower. */
function lastPart(given: string): string {
  const last = trimmed(given.slice(Math.max(given.lastIndexOf("/"), given.lastIndexOf("\\")) + 1));
  const { beginning, end } = EXAMINED;
  return last.length > beginning + end ? `${last.slice(0, beginning)}${last.slice(-end)}` : last;
}

/** Removes folders, invisible characters, leading dots and device names. @returns null if the rest is blank */
export function safeFileName(given: string): string | null {
  const plain = trimmed(lastPart(given).normalize("NFC").replace(INVISIBLE, "").replace(FORBIDDEN, "_"));
  const allowed = DEVICE.test(plain) ? `_${plain}` : plain;
  if (countBytes(allowed) <= LONGEST) {
    return allowed === "" ? null : allowed;
  }
  const { stem, extension } = splitName(allowed);
  return `${trimmed(cut(stem, LONGEST - countBytes(extension)))}${extension}`;
}
