import { request } from "node:http";
import type { ServiceProcess } from "./service-process";
import type { PlannedMessage } from "./traffic";

/** On a connection of its own, so that none of a process that was killed is used. @returns status of the answer; null for none */
export function post(url: string, body: unknown): Promise<number | null> {
  return new Promise((resolve) => {
    const sending = request(url, {
      method: "POST",
      agent: false,
      headers: { "content-type": "application/json" },
    });
    sending.once("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    });
    sending.once("error", () => resolve(null));
    sending.once("close", () => resolve(null));
    sending.end(JSON.stringify(body));
  });
}

/** Status of the answer to what a flow has taken. */
export const TAKEN = 202;

/**
 * Hands a message to the flow of a Node-RED at this address.
 * @param attempt which hand-in it is, where the driver counts them
 * @returns status of the answer, `TAKEN` where the flow has it; null for none
 */
export async function handOver(
  service: ServiceProcess,
  url: string,
  message: PlannedMessage,
  attempt?: number,
): Promise<number | null> {
  await service.announce(message);
  const { id, node, recipients, wrong } = message;
  const to = recipients.length === 1 ? recipients[0] : [...recipients, ...wrong];
  return post(`${url}/hand-in`, { node, id, attempt, to, text: "Hello" });
}
