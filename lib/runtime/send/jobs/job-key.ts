import { newUuid } from "../new-uuid";

const PROCESS = `${Date.now().toString(36)}-${newUuid()}`;
const DIGITS = 12;
let last = 0;

/** A key that no other job has, of any process. Later ones sort after earlier ones, so that an index grows at its end. */
export function newJobKey(): string {
  last++;
  return `${PROCESS}-${String(last).padStart(DIGITS, "0")}`;
}
