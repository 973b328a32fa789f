export function trimPath(path: string): string {
  const trimmed = path.replace(/\/{2,}/g, "/").replace(/\/$/, "");
  return trimmed.startsWith("/") || trimmed === "" ? trimmed : `/${trimmed}`;
}

const PLAIN = /^[A-Za-z0-9._~/-]*$/;
/** Escapes of permitted characters (RFC 3986, pchar). */
const NEEDLESS = /%(?:21|24|26|27|28|29|2A|2B|2C|3A|3B|3D|40)/g;

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).normalize("NFC");
  } catch {
    return segment.normalize("NFC");
  }
}

/** Normalises escapes, case and composition. An escaped slash stays part of its segment. */
export function urlPath(path: string): string {
  const trimmed = trimPath(path);
  return PLAIN.test(trimmed)
    ? trimmed
    : trimmed
        .split("/")
        .map((segment) =>
          // An unpaired surrogate has no UTF-8.
          encodeURIComponent(decodeSegment(segment).replace(/\p{Surrogate}/gu, "\ufffd")).replace(
            NEEDLESS,
            decodeURIComponent,
          ),
        )
        .join("/");
}

/** As Express compares, but without doubled slashes. */
export function pathKey(path: string): string {
  return urlPath(path).toLowerCase();
}

export type PathFault = "path" | "path-dots";

/** Refuses `?`, `#`, backslash and dot segments, which callers rewrite, and invisible characters. */
export function findPathFormFault(path: string): PathFault | null {
  const decoded = path.split("/").map(decodeSegment);
  if (/[?#\\]/.test(path) || decoded.some((segment) => /[^\S ]|\p{Cc}/u.test(segment))) {
    return "path";
  }
  return decoded.some((segment) => segment === "." || segment === "..") ? "path-dots" : null;
}

/** Below `httpNodeRoot`, made from the id if blank. */
export function webhookPath(typed: string | undefined, nodeId: string): string {
  return trimPath((typed ?? "").trim()) || `/messaging/${nodeId}`;
}
