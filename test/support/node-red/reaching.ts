import { waitFor } from "../wait-for";
import type { RecordedMessage } from "./admin-client";
import type { Bench } from "./on-each-node-red";

/** Waits for so many messages that reach a node. */
export function reaching({ nodeRed }: Bench, nodeId: string, count = 1): Promise<readonly RecordedMessage[]> {
  let seen: readonly RecordedMessage[] = [];
  return waitFor(
    () => `${count} messages to ${nodeId}; there were ${seen.length}`,
    async () => {
      seen = (await nodeRed.recording()).messages.filter(({ to }) => to === nodeId);
      return seen.length >= count && seen;
    },
  );
}
