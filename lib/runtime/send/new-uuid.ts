import { randomUUID } from "node:crypto";

/** Returns a UUID version 7: it grows with time, so an index of many grows at its end. */
export function newUuid(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
