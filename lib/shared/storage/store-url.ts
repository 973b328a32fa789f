export type StoreUrlFault =
  | "blank"
  | "part-variable"
  | "scheme"
  | "not-a-url"
  /** A character of name or password has another meaning in a URL. */
  | "escape"
  | "no-host"
  | "no-user"
  | "no-database"
  /** Only one known `sslmode` may follow `?`. */
  | "parameter";

const SSL_MODES = ["disable", "require", "verify-ca", "verify-full"];
const SCHEME = /^postgres(?:ql)?:\/\//i;

const isEncoded = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/** The URL is a secret, so errors name no part of it. */
export function findStoreUrlFault(typed: string): StoreUrlFault | null {
  const text = typed.trim();
  if (text === "") {
    return "blank";
  }
  if (/\$\{[^}]*\}|\$\([^)]*\)/.test(text)) {
    return "part-variable";
  }
  if (!SCHEME.test(text)) {
    return "scheme";
  }
  // Part of such a password would appear as host or database.
  const afterScheme = text.replace(SCHEME, "");
  if (/[/?#]/.test(afterScheme.slice(0, Math.max(afterScheme.lastIndexOf("@"), 0)))) {
    return "escape";
  }
  if (!URL.canParse(text) || /\s/.test(text)) {
    return "not-a-url";
  }
  const { username, password, hostname, pathname, searchParams, hash } = new URL(text);
  if (hash !== "" || ![username, password, pathname].every(isEncoded)) {
    return "escape";
  }
  if (hostname === "") {
    return "no-host";
  }
  if (username === "") {
    return "no-user";
  }
  if (!/^\/[^/]+$/.test(pathname)) {
    return "no-database";
  }
  const isKnown = [...searchParams].every(([name, mode]) => name === "sslmode" && SSL_MODES.includes(mode));
  return isKnown && searchParams.size <= 1 ? null : "parameter";
}
