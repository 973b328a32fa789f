/** What a browser gets for a form. */
export interface WebPage {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** What people see, without tags. */
  readonly text: string;
  /** Value of the hidden field, by its name. */
  hidden(name: string): string | undefined;
}

async function read(response: Response): Promise<WebPage> {
  const html = await response.text();
  const [, body = ""] = html.split("<body>");
  return {
    status: response.status,
    headers: response.headers,
    html,
    text: body
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim(),
    hidden: (name) => new RegExp(`<input type="hidden" name="${name}" value="([^"]*)">`).exec(html)?.[1],
  };
}

/** ms after which a page that does not come fails the test. */
const PATIENCE = 120_000;
/** An idle connection may end in the moment in which it is used again. */
const headers = { connection: "close" };

/** Opens a page as a browser does. */
export const openPage = async (url: string): Promise<WebPage> =>
  read(await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE) }));

/** Sends a form as a browser does. */
export async function postForm(
  url: string,
  fields: Readonly<Record<string, string>> | string,
): Promise<WebPage> {
  const body = new URLSearchParams(fields);
  return read(await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(PATIENCE) }));
}
