"use strict";
/**
 * Lets Node.js load the TypeScript of this repository, by `node --require`: in the process itself, its worker threads, and those
 * that it forks. Each file is compiled once, to CommonJS with a source map, and kept in `.cache/typescript` by a hash of its
 * name and content, so that hundreds of processes of a test run start without a compiler. Types are not checked.
 */
const { createHash } = require("node:crypto");
const { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { join, relative } = require("node:path");

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

/** Under another name until it is complete: other processes may look for it. */
function write(path, text) {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

/** Compiles a file, and with it at once all others of the repository that are not compiled. */
function compile(wanted) {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
      .map((name) => join(ROOT, folder, name)),
  );
  const places = new Map();
  for (const file of new Set([wanted, ...files])) {
    const place = placeOf(file);
    if (file === wanted || read(place) === null) places.set(file, place);
  }
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
