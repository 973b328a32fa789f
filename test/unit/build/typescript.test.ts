import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(__dirname, "../../..");
const COMPILER = "scripts/typescript.cjs";
const DAYS_AGO = new Date(Date.now() - 2 * 86_400_000);

describe("compiled files", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "typescript-"));
    for (const name of ["lib", "nodes", "plugins", "scripts", "simulator", "test"])
      mkdirSync(join(folder, name));
    copyFileSync(join(ROOT, COMPILER), join(folder, COMPILER));
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (text: string) => writeFileSync(join(folder, "lib", "value.ts"), text);
  const read = (): string => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["--require", `./${COMPILER}`, "--print", 'require("./lib/value.ts").value'],
      { cwd: folder, encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } },
    );
    return stdout.trim() || stderr;
  };
  const kept = (): readonly string[] => {
    const cache = join(folder, ".cache", "typescript");
    return readdirSync(cache, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".js"))
      .map((name) => join(cache, name));
  };

  it("go away a day after the last file with their content, once something is compiled", () => {
    write("export const value: number = 1;");
    writeFileSync(join(folder, "lib", "other.ts"), "export const other: number = 1;");
    assert.equal(read(), "1");
    const first = kept();
    assert.equal(first.length, 2);
    write("export const value: number = 2;");
    assert.equal(read(), "2");
    assert.equal(kept().length, 3);
    for (const path of first) utimesSync(path, DAYS_AGO, DAYS_AGO);
    write("export const value: number = 3;");
    assert.equal(read(), "3");
    assert.equal(kept().length, 3);
    assert.equal(first.filter((path) => existsSync(path)).length, 1, "the other file is as it was");
  });
});
