import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

export interface ExactAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/**
 * Sends a request whose path stands in it exactly as given here: `fetch` would add escapes and resolve dots.
 * @param path one character for each byte
 */
export async function exactRequest(
  origin: string,
  path: string,
  {
    method = "POST",
    headers = {},
    body,
  }: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  } = {},
): Promise<ExactAnswer> {
  const { hostname, port } = new URL(origin);
  const type = body === undefined ? {} : { "content-type": "application/json;charset=UTF-8" };
  const outgoing = request({ hostname, port, path, method, headers: { ...type, ...headers } });
  outgoing.end(body);
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
}
