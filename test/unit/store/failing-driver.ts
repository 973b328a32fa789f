import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Thread whose driver comes from the folder, for the option `thread`. Without one there it has none. */
export const FAILING_THREAD = join(__dirname, "failing-thread.ts");

/**
 * Writes a driver that is SQLite itself but for `exec`, in which `sql`, `next` (runs it), `folder` and `fs` are known.
 * @returns the thread that uses it
 */
export function failingDriver(folder: string, body: string): string {
  writeFileSync(
    join(folder, "driver.cjs"),
    `const fs = require("node:fs");
    const folder = ${JSON.stringify(folder)};
    const failure = (errcode, message) => Object.assign(new Error(message), { errcode });
    const noted = (name) => fs.existsSync(folder + "/" + name);
    const note = (name) => fs.appendFileSync(folder + "/" + name, "x");
    module.exports = (real) => ({ DatabaseSync: class extends real.DatabaseSync {
      constructor(...given) { super(...given); note("opened"); }
      exec(sql) { const next = () => super.exec(sql); ${body}; return next(); }
      close() { note("closed"); super.close(); }
    } });`,
  );
  return FAILING_THREAD;
}
