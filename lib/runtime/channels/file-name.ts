/**
 * Names of files that somebody else chose: a service, a person who sent a picture, a message in a flow.
 *
 * Free of Node.js APIs, because the edit dialogs may use it too.
 */

import { trimEnd } from "../../shared/trim-end";

/** Bytes in UTF-8: file systems take 255, and a number may still be added. */
const LONGEST = 200;
/** Characters of an extension that is kept when a name is cut. */
const LONGEST_EXTENSION = 20;
/** Characters of a given name that are looked at, at its beginning and at its end. */
const LOOKED_AT = { beginning: 1_000, end: 100 } as const;

/** Control characters, half surrogates, and marks that turn the direction of text or show nothing. */
const UNSEEN = /[\p{Cc}\p{Cs}\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
/** Not allowed on Windows; the colon would even name another stream of the same file. */
const FORBIDDEN = /[<>:"|?*\ufffd]/g;
/** Devices on Windows, whatever extension follows. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** The beginning of a text that fits, without half a character at its end. */
function cut(text: string, bytes: number): string {
  let result = "";
  let left = bytes;
  for (const character of text) {
    left -= bytesOf(character);
    if (left < 0) {
      break;
    }
    result += character;
  }
  return result;
}

/** A name's two parts: all before its last dot, and the extension with the dot. */
export function splitName(name: string): { readonly stem: string; readonly extension: string } {
  const at = name.lastIndexOf(".");
  const extension = at > 0 ? name.slice(at) : "";
  return extension.length > LONGEST_EXTENSION || extension.length < 2
    ? { stem: name, extension: "" }
    : { stem: name.slice(0, at), extension };
}

/** A dot or a blank, which no name may begin or end with. */
const isEdge = (character: string): boolean => character === "." || character.trim() === "";

function trimmed(name: string): string {
  let start = 0;
  while (start < name.length && isEdge(name.charAt(start))) {
    start++;
  }
  return trimEnd(name.slice(start), isEdge);
}

/** What stands behind the last folder, without what is too long to matter: the rest may cost more than one look. */
function lastPart(given: string): string {
  const last = trimmed(given.slice(Math.max(given.lastIndexOf("/"), given.lastIndexOf("\\")) + 1));
  const { beginning, end } = LOOKED_AT;
  return last.length > beginning + end ? `${last.slice(0, beginning)}${last.slice(-end)}` : last;
}

/**
 * Reduces whatever somebody calls a file to a name that stands in one folder, on any system: no folders, nothing
 * invisible, no leading dot, no device, not too long. @returns null where nothing is left
 */
export function safeFileName(given: string): string | null {
  const plain = trimmed(lastPart(given).normalize("NFC").replace(UNSEEN, "").replace(FORBIDDEN, "_"));
  const allowed = DEVICE.test(plain) ? `_${plain}` : plain;
  if (bytesOf(allowed) <= LONGEST) {
    return allowed === "" ? null : allowed;
  }
  const { stem, extension } = splitName(allowed);
  return `${trimmed(cut(stem, LONGEST - bytesOf(extension)))}${extension}`;
}
