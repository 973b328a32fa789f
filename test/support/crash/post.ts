import { request } from "node:http";
import type { ServiceProcess } from "./service-process";
import type { PlannedMessage } from "./traffic";

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

/**
 * Hands a message to the flow of a Node-RED at this address.
 * @param attempt which hand-in it is, where the driver counts them
 */
export async function handOver(
  service: ServiceProcess,
  url: string,
  message: PlannedMessage,
  attempt?: number,
): Promise<boolean> {
  await service.announce(message);
  const { id, node, recipients, wrong } = message;
  const to = recipients.length === 1 ? recipients[0] : [...recipients, ...wrong];
  return post(`${url}/hand-in`, { node, id, attempt, to, text: "Hello" });
}
