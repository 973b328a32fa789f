const MASK = "***";

/** Masks the parts of a URL that may be secret: user, password and every value of the query. */
export function maskUrl(address: string): string {
  const { protocol, host, pathname, search, username, password } = new URL(address);
  const user = username === "" && password === "" ? "" : `${MASK}@`;
  const names = search
    .slice(1)
    .split("&")
    // A part without a name may be a secret itself.
    .map((part) => (part.includes("=") ? `${part.slice(0, part.indexOf("="))}=${MASK}` : MASK));
  return `${protocol}//${user}${host}${pathname}${search === "" ? "" : `?${names.join("&")}`}`;
}
