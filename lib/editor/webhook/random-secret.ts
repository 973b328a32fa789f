/** Bytes of chance: as much as in a strong key. */
const BYTES = 24;

/** A secret that nobody can guess, of characters that may stand in a URL and a header: 32 of them. */
export function randomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_");
}
