/** A path with one slash in front and none behind, and no doubled ones. */
export function trimPath(path: string): string {
  const trimmed = path.replace(/\/{2,}/g, "/").replace(/\/$/, "");
  return trimmed.startsWith("/") || trimmed === "" ? trimmed : `/${trimmed}`;
}

/** Characters that stand in a path as they are; a path of nothing else needs no escapes. */
const PLAIN = /^[A-Za-z0-9._~/-]*$/;
/** Escapes of characters that a path may hold unescaped (RFC 3986, pchar). */
const NEEDLESS = /%(?:21|24|26|27|28|29|2A|2B|2C|3A|3B|3D|40)/g;

/** A segment without escapes, composed (NFC); one with broken escapes counts as unescaped. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).normalize("NFC");
  } catch {
    return segment.normalize("NFC");
  }
}

/**
 * A path as it stands in an address: in UTF-8, escaped only where it has to be, with upper-case digits. Escaped,
 * unescaped and decomposed (NFD) spellings of a path give the same one. An escaped slash stays part of its segment.
 */
export function urlPath(path: string): string {
  const trimmed = trimPath(path);
  return PLAIN.test(trimmed)
    ? trimmed
    : trimmed
        .split("/")
        .map((segment) =>
          // Half a surrogate pair has no UTF-8.
          encodeURIComponent(decodeSegment(segment).replace(/\p{Surrogate}/gu, "\ufffd")).replace(
            NEEDLESS,
            decodeURIComponent,
          ),
        )
        .join("/");
}

/**
 * The spelling under which paths are compared: that of an address, without regard to the case of A to Z, a slash at
 * the end and doubled slashes. Express compares alike, except for doubled slashes.
 */
export function pathKey(path: string): string {
  return urlPath(path).toLowerCase();
}

/** Why a typed path cannot be called: the keys of the dialog's texts. */
export type PathFault = "path" | "path-dots";

/**
 * Why no caller could reach a typed path; null where one can. A question mark or number sign ends a path, a backslash
 * and the segments `.` and `..` are rewritten by callers, and white space other than a space, and control characters,
 * are typing errors that stay invisible.
 */
export function findPathFormFault(path: string): PathFault | null {
  const decoded = path.split("/").map(decodeSegment);
  if (/[?#\\]/.test(path) || decoded.some((segment) => /[^\S ]|\p{Cc}/u.test(segment))) {
    return "path";
  }
  return decoded.some((segment) => segment === "." || segment === "..") ? "path-dots" : null;
}

/** Path of a webhook-in node below `httpNodeRoot`: its own, or one made of its id. */
export function webhookPath(typed: string | undefined, nodeId: string): string {
  return trimPath((typed ?? "").trim()) || `/messaging/${nodeId}`;
}
