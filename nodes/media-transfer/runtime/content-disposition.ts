function decodeExtended(value: string): string | null {
  const [, charset = "", encoded = ""] = /^([\w-]+)'[^']*'([^\s;]*)$/.exec(value) ?? [];
  const bytes = Buffer.from(
    encoded.replace(/%([0-9a-f]{2})/gi, (_whole, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    "latin1",
  );
  switch (charset.toLowerCase()) {
    case "utf-8":
      return decodeUtf8(bytes);
    case "iso-8859-1":
      return bytes.toString("latin1");
    default:
      return null;
  }
}

function decodeUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Decodes a header as UTF-8 if it is valid. The HTTP client has decoded it as Latin-1. */
function readable(text: string): string {
  return /^[\0-\u00ff]*$/.test(text) ? (decodeUtf8(Buffer.from(text, "latin1")) ?? text) : text;
}

const PARAMETER = /;\s*([\w!#$&^`|~.+-]+\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g;

/** `filename*` (RFC 5987) takes precedence over `filename` (RFC 6266). The name is not checked. */
export function dispositionFileName(header: string | null): string | null {
  const found = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of (header ?? "").matchAll(PARAMETER)) {
    const value = quoted === undefined ? plain.trim() : quoted.replace(/\\(.)/g, "$1");
    const key = name.toLowerCase();
    if (!found.has(key)) {
      found.set(key, value);
    }
  }
  const extended = found.get("filename*");
  const plain = found.get("filename");
  const name = (extended === undefined ? null : decodeExtended(extended)) ?? (plain && readable(plain));
  return name || null;
}
