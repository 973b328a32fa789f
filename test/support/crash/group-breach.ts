import type { FlowLog } from "./flow-log";
import { peopleOf, type PlannedMessage } from "./traffic";

/**
 * What leaves in one life of a process must come to Join as whole groups: Join forgets what it has when its process ends, and what leaves
 * after that is a group of its own. Nobody is in a group twice.
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
  const groups = seen.groups.get(message.id) ?? [];
  const known = new Set(people);
  if (groups.some((group) => new Set(group).size < group.length || !group.every((each) => known.has(each)))) {
    return `${message.id}: Join made a group of other people`;
  }
  const sightings = people.flatMap((person) =>
    (seen.results.get(person) ?? []).map(({ life, restored }) => ({ person, life, restored })),
  );
  // What a process had that stood still, and was taken for dead, goes on elsewhere.
  const isDivided = new Set(sightings.map(({ life }) => life)).size > 1;
  const grouped = new Set(groups.flat());
  const missing = sightings.filter(
    ({ person, life, restored }) => !hasEnded(life) && (restored || !isDivided) && !grouped.has(person),
  );
  if (missing.length === 0 && sightings.length > 0) return null;
  const list = missing.slice(0, 10).map(({ person, life }) => `${person} in life ${life}`);
  return `${message.id}: Join got no complete group; it lacks ${list.join(", ")}`;
}
