/**
 * The headers by which a browser says which page a request comes from; no page can write them. Each has all its values, as in
 * `headersDistinct` of Node.js, and is undefined where it is missing, as with programs that are no browsers.
 */
export interface PageHeaders {
  readonly origin?: readonly string[] | undefined;
  readonly "sec-fetch-site"?: readonly string[] | undefined;
}

/**
 * Tells whether a request comes from a page that may not send it: the one rule of the simulator and of the admin routes.
 * @param sites the values of `Sec-Fetch-Site` that are accepted
 * @param isOwn whether an `Origin` is accepted, unless the browser itself says `same-origin`
 * @returns the header that gives the page away; null if the request is permitted
 */
export function foreignPage(
  headers: PageHeaders,
  sites: readonly string[],
  isOwn: (origin: string) => boolean,
): "Origin" | "Sec-Fetch-Site" | null {
  const told = headers["sec-fetch-site"] ?? [];
  if (told.some((site) => !sites.includes(site))) {
    return "Sec-Fetch-Site";
  }
  // The browser compared the addresses as it knows them, before a proxy changed the one that is called.
  return told.includes("same-origin") || (headers.origin ?? []).every(isOwn) ? null : "Origin";
}
