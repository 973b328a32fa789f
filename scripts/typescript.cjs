"use strict";
/**
 * Lets Node.js load the TypeScript of this repository, by `node --require`: in the process itself, its worker threads, and those
 * that it forks. Each file is compiled once, to CommonJS with a source map, and kept in `.cache/typescript` by a hash of its
 * name and content, so that hundreds of processes of a test run start without a compiler. Types are not checked.
 */
const { createHash } = require("node:crypto");
const {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require("node:fs");
const Module = require("node:module");
const { join, relative } = require("node:path");
const { threadId } = require("node:worker_threads");

const ROOT = join(__dirname, "..");
const CACHE = join(ROOT, ".cache", "typescript");
const FOLDERS = ["lib", "nodes", "plugins", "scripts", "simulator", "test"];
const OPTIONS = {
  format: "cjs",
  platform: "node",
  target: "node20",
  sourcemap: "inline",
  sourcesContent: false,
  // A module in TypeScript that is imported late has to come this way, too.
  supported: { "dynamic-import": false },
  logLevel: "silent",
};
/** What no file has any longer is kept for a day: a file may get its earlier content back. */
const KEPT_MS = 86_400_000;
/** Changes with what decides about the output beside the source. */
const SALT = `${JSON.stringify(OPTIONS)} ${require("esbuild/package.json").version}`;

const placeOf = (file, source = readFileSync(file)) => {
  const hash = createHash("sha1").update(SALT).update(relative(ROOT, file)).update(source).digest("hex");
  return join(CACHE, hash.slice(0, 2), `${hash}.js`);
};

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return null;
  }
}

/** Under another name until it is complete: other processes and threads may look for it. */
function write(path, text) {
  const incomplete = `${path}.${process.pid}.${threadId}`;
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(incomplete, text);
  renameSync(incomplete, path);
}

/** Deletes what no file has any longer. */
function clean(places) {
  const now = Date.now();
  for (const name of readdirSync(CACHE, { recursive: true })) {
    const path = join(CACHE, name);
    if (places.has(path)) continue;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() && now - stat.mtimeMs > KEPT_MS) rmSync(path, { force: true });
  }
}

/** Compiles a file, and with it at once all others of the repository that are not compiled. */
function compile(wanted) {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
      .map((name) => join(ROOT, folder, name)),
  );
  const present = new Map([wanted, ...files].map((file) => [file, placeOf(file)]));
  const places = new Map([...present].filter(([file, place]) => file === wanted || read(place) === null));
  const { outputFiles } = require("esbuild").buildSync({
    ...OPTIONS,
    entryPoints: [...places.keys()],
    outdir: ROOT,
    outbase: ROOT,
    write: false,
  });
  for (const { path, text } of outputFiles) {
    write(places.get(path.replace(/\.js$/, ".ts")), text);
  }
  clean(new Set(present.values()));
  return read(places.get(wanted));
}

process.setSourceMapsEnabled(true);
Module._extensions[".ts"] = (module, file) => {
  module._compile(read(placeOf(file)) ?? compile(file), file);
};

/** What is imported late is named as in the build: `./name.js`. */
const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...more) => {
  try {
    return resolve(request, ...more);
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND" || !/^\.{1,2}\/.*\.js$/.test(request)) throw error;
    return resolve(request.replace(/\.js$/, ".ts"), ...more);
  }
};
