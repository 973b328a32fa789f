import type { NodeStatus } from "node-red";
import { say } from "../../texts/say";
import type { Checked, Made } from "./code-desk";

/** What a badge says: what came of the latest message. Never a code or a number. */
export function badgeOf(state: Made["state"] | Checked["state"]): NodeStatus {
  const good = state === "made" || state === "right";
  return { fill: good ? "green" : "yellow", shape: good ? "dot" : "ring", text: say(`badges.code.${state}`) };
}
