/** Headers that no page can forge, as in `headersDistinct`. Only browsers send them. */
export interface PageHeaders {
  readonly origin?: readonly string[] | undefined;
  readonly "sec-fetch-site"?: readonly string[] | undefined;
}

/**
 * Returns the header of a page that may not send the request, or null.
 * @param sites accepted values of `Sec-Fetch-Site`
 * @param isOwn accepts an `Origin`, unless the browser sends `same-origin`
 */
export function foreignPage(
  headers: PageHeaders,
  sites: readonly string[],
  isOwn: (origin: string) => boolean,
): "Origin" | "Sec-Fetch-Site" | null {
  const reported = headers["sec-fetch-site"] ?? [];
  if (reported.some((site) => !sites.includes(site))) {
    return "Sec-Fetch-Site";
  }
  // The browser compares addresses before a proxy changes them.
  return reported.includes("same-origin") || (headers.origin ?? []).every(isOwn) ? null : "Origin";
}
