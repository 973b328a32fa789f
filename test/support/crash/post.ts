import { request } from "node:http";

/** On a connection of its own, so that none of a process that was killed is used. @returns whether it was accepted */
export function post(url: string, body: unknown): Promise<boolean> {
  return new Promise((resolve) => {
    const sending = request(url, {
      method: "POST",
      agent: false,
      headers: { "content-type": "application/json" },
    });
    sending.once("response", (response) => {
      response.resume();
      resolve(response.statusCode === 202);
    });
    sending.once("error", () => resolve(false));
    sending.once("close", () => resolve(false));
    sending.end(JSON.stringify(body));
  });
}
