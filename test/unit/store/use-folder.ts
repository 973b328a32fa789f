import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An empty folder for each test, removed when all are done. @returns its path */
export function useFolder(): () => string {
  const made: string[] = [];
  beforeEach(() => {
    made.push(mkdtempSync(join(tmpdir(), "messaging-store-")));
  });
  after(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
  });
  return () => made.at(-1) ?? "";
}
