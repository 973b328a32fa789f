import { say } from "../../../texts/say";
import type { AccountStore } from "../open-store";
import type { Outbox } from "./outbox";

const PAGE = 200;

/** Drops messages that others adopted or the store lacks. @returns false to be called again @throws StoreError */
export async function endLost(
  outbox: Outbox,
  place: AccountStore,
  warn: (text: string) => void,
): Promise<boolean> {
  if (!outbox.mayBeLost) {
    return true;
  }
  // The registration may expire again during this function.
  outbox.mayBeLost = false;
  let isDone = false;
  try {
    isDone = await end(outbox, place, warn);
  } finally {
    outbox.mayBeLost ||= !isDone;
  }
  return isDone;
}

async function end(
  { messages, nodes, names }: Outbox,
  { store, instances }: AccountStore,
  warn: (text: string) => void,
): Promise<boolean> {
  const mine = [...messages.values()].filter(({ isWriting }) => !isWriting);
  // Messages in a pending write are checked again: another process may have adopted them.
  let isDone = mine.length === messages.size;
  let elsewhere = 0;
  for (let at = 0; at < mine.length; at += PAGE) {
    const page = mine.slice(at, at + PAGE);
    const resultOwners = await store.jobs.known(page.map(({ id }) => id));
    for (const message of page) {
      const resultOwner = resultOwners.get(message.id);
      const isMine = resultOwner !== undefined && names.has(resultOwner);
      isDone &&= !isMine || resultOwner === instances.id;
      if (!isMine && messages.delete(message.id)) {
        nodes.get(message.node)?.handOver(message);
        elsewhere++;
      }
    }
  }
  if (elsewhere > 0) {
    warn(say("send.taken-over", { n: elsewhere }));
  }
  return isDone;
}
