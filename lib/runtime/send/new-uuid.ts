import { randomUUID } from "node:crypto";

/** Makes a UUID that grows with time (version 7), so that an index of many grows at its end. */
export function newUuid(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
