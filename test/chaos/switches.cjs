"use strict";
/**
 * Loaded into a Node-RED and its threads by NODE_OPTIONS. The harness writes the file CHAOS_SWITCHES: `commitMs` delays each commit of
 * SQLite, `isFull` makes it fail as on a full disk, `clockMs` moves the clock of the process.
 */
const { readFileSync } = require("node:fs");

const cell = new Int32Array(new SharedArrayBuffer(4));
const realNow = Date.now;
let switches = { commitMs: 0, isFull: false, clockMs: 0 };

function read() {
  try {
    switches = JSON.parse(readFileSync(process.env.CHAOS_SWITCHES, "utf8"));
  } catch {
    // The harness is writing the file.
  }
}

function wrap(library) {
  const { DatabaseSync } = library ?? {};
  if (DatabaseSync === undefined) return;
  library.DatabaseSync = class DisturbedDatabase extends DatabaseSync {
    exec(sql) {
      if (sql !== "COMMIT") return super.exec(sql);
      read();
      if (switches.isFull) throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
      if (switches.commitMs > 0) Atomics.wait(cell, 0, 0, switches.commitMs / 2);
      super.exec(sql);
      if (switches.commitMs > 0) Atomics.wait(cell, 0, 0, switches.commitMs / 2);
    }
  };
}

if (process.env.CHAOS_SWITCHES !== undefined) {
  // The optional package is a separate library; SQLite of Node.js is built in.
  const load = process.dlopen;
  process.dlopen = function loadWrapped(module, ...more) {
    const result = load.call(this, module, ...more);
    wrap(module.exports);
    return result;
  };
  wrap(process.getBuiltinModule?.("node:sqlite"));
  Date.now = () => realNow() + switches.clockMs;
  setInterval(read, 50).unref();
}
