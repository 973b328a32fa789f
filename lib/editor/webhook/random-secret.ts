/** Random bytes: 192 bits. */
const BYTES = 24;

/** A random secret of 32 characters that are valid in a URL and in a header. */
export function randomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_");
}
