import { randomBytes } from "node:crypto";

/** Characters of a time in ms, and of a count of messages, in base 36. */
const [TIME, COUNT] = [9, 8];
const inDigits = (value: number, length: number): string => value.toString(36).padStart(length, "0");

/** Each message of the store has its key twice, in its row and in an index, so it is short. */
const PROCESS = `${inDigits(Date.now(), TIME)}${randomBytes(6).toString("hex")}`;
let last = 0;

/** A key that no other job has, of any process. Later ones sort after earlier ones, so that an index grows at its end. */
export const newJobKey = (): string => `${PROCESS}${inDigits(++last, COUNT)}`;
