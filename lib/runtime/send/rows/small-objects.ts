import type { NodeMessage } from "node-red";
import { isPlainObject } from "../../node-red/is-plain-object";

/** Values in a property that is copied for each row. Copying more of them for each of thousands of rows would take too long. */
const MOST_VALUES = 500;

/** Values in an object, as far as they are plain; infinite where something else is among them. Ends at the limit, so at loops too. */
function countValues(value: object): number {
  const todo: object[] = [value];
  let count = 0;
  for (let next = todo.pop(); next !== undefined && count <= MOST_VALUES; next = todo.pop()) {
    if (!Array.isArray(next) && !isPlainObject(next)) {
      return Number.POSITIVE_INFINITY;
    }
    for (const name in next) {
      const inner: unknown = (next as Readonly<Record<string, unknown>>)[name];
      count++;
      if (typeof inner === "object" && inner !== null) {
        todo.push(inner);
      }
      if (count > MOST_VALUES) {
        break;
      }
    }
  }
  return count;
}

/** The properties of a message that are small plain objects or lists, so that each row can have a copy of its own. */
export function smallObjects(msg: NodeMessage): NodeMessage {
  const small = Object.entries(msg).filter(
    ([, value]) => typeof value === "object" && value !== null && countValues(value as object) <= MOST_VALUES,
  );
  return Object.fromEntries(small) as unknown as NodeMessage;
}
