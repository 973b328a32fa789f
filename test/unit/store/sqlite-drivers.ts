import { writeFileSync } from "node:fs";
import { join } from "node:path";

const LOAD = `
  const [major, minor] = process.versions.node.split(".").map(Number);
  const real = major > 22 || (major === 22 && minor >= 13)
    ? process.getBuiltinModule("node:sqlite")
    : require(${JSON.stringify(require.resolve("@photostructure/sqlite"))});
  const fs = require("node:fs");`;

/**
 * Writes a driver that is SQLite itself but for `exec`, in which `sql`, `next` (runs it), `folder`, and `fs` are known.
 * @returns its path, for the option `driver`
 */
export function driverWith(folder: string, body: string): string {
  const file = join(folder, "driver.cjs");
  writeFileSync(
    file,
    `${LOAD}
    const folder = ${JSON.stringify(folder)};
    const failure = (errcode, message) => Object.assign(new Error(message), { errcode });
    const noted = (name) => fs.existsSync(folder + "/" + name);
    const note = (name) => fs.appendFileSync(folder + "/" + name, "x");
    class DatabaseSync extends real.DatabaseSync {
      constructor(file) { super(file); note("opened"); }
      exec(sql) { const next = () => super.exec(sql); ${body}; return next(); }
      close() { note("closed"); super.close(); }
    }
    module.exports = { DatabaseSync };`,
  );
  return file;
}
