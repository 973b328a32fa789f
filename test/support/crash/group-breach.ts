import type { FlowLog } from "./flow-log";
import { peopleOf, type PlannedMessage } from "./traffic";

/**
 * A Join node must have got all results of a message, which it can only collect in one life of its process: at least one group with
 * all people, each once, or all results in a life that ended before the group had gone on.
 * @param hasEnded whether a life of Node-RED ended by force
 * @returns what is wrong, in words; null for nothing
 */
export function groupBreach(
  seen: Pick<FlowLog, "results" | "groups">,
  message: PlannedMessage,
  hasEnded: (life: number) => boolean,
): string | null {
  const people = peopleOf(message);
  if (people.length === 1) return null;
  const wanted = [...people].sort().join();
  const groups = seen.groups.get(message.id) ?? [];
  const lives = people.map((person) => new Set((seen.results.get(person) ?? []).map(({ life }) => life)));
  const [first, ...others] = lives;
  const wholeLives = [...(first ?? [])].filter((life) => others.every((each) => each.has(life)));
  if (groups.length === 0) {
    const list = lives.slice(0, 10).map((each) => [...each].join("+"));
    return wholeLives.length > 0 && wholeLives.every(hasEnded)
      ? null
      : `${message.id}: Join got no complete group; lives of its results: ${list.join(", ")}`;
  }
  return groups.some((group) => [...group].sort().join() !== wanted)
    ? `${message.id}: Join made a group of other people`
    : null;
}
