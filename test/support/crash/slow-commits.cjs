"use strict";
/**
 * Loaded into a Node-RED by NODE_OPTIONS, and so into its threads: each commit of its SQLite takes COMMIT_MS longer, half of that before
 * it is on the disk and half after, as on a slow card. A kill then often comes in the middle of one.
 */
const MS = Number(process.env.COMMIT_MS ?? 0);
const cell = new Int32Array(new SharedArrayBuffer(4));
const pass = () => Atomics.wait(cell, 0, 0, MS / 2);

function slowDown(library) {
  const { DatabaseSync } = library ?? {};
  if (DatabaseSync === undefined) return;
  library.DatabaseSync = class SlowDatabase extends DatabaseSync {
    exec(sql) {
      if (sql !== "COMMIT") return super.exec(sql);
      pass();
      super.exec(sql);
      pass();
    }
  };
}

if (MS > 0) {
  // The optional package is a library of its own; SQLite of Node.js is not.
  const load = process.dlopen;
  process.dlopen = function loadSlow(module, ...more) {
    const result = load.call(this, module, ...more);
    slowDown(module.exports);
    return result;
  };
  slowDown(process.getBuiltinModule?.("node:sqlite"));
}
