import { spawnSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { linkInto, ROOT, temporaryFolder } from "../../test/support/node-red/packed-package";
import { packagesFolder } from "./packages";

/** One state of this repository, built and installed for Node-RED. */
export interface State {
  readonly name: string;
  /** Where its sources are. */
  readonly root: string;
  /** See `EmbeddedNodeRed.start`. */
  readonly packages: string;
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) {
    throw new Error(`${command} ${args.join(" ")} failed: ${stderr}`);
  }
  return stdout.trim();
}

/**
 * The commit that the files are of.
 * @throws Error where they are of none
 */
export function committedState(): string {
  const changed = run("git", ["status", "--porcelain"], ROOT);
  if (changed !== "") {
    throw new Error(`the page is of one commit, and these files are of none:\n${changed}`);
  }
  return run("git", ["rev-parse", "--short", "HEAD"], ROOT);
}

/** The files of a commit, built with the dependencies of this state. They go away with this process. */
async function checkOut(commit: string): Promise<string> {
  const folder = await temporaryFolder("bench-state");
  const archive = join(folder, "state.tar");
  run("git", ["archive", "--output", archive, commit], ROOT);
  run("tar", ["-xf", archive], folder);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
  run(join(ROOT, "node_modules", ".bin", "tsx"), ["scripts/build.ts"], folder);
  return folder;
}

/**
 * The states to compare, the present one first.
 * @param others commits, or folders with a built state
 */
export async function statesOf(others: readonly string[]): Promise<readonly State[]> {
  const states: State[] = [{ name: "now", root: ROOT, packages: await packagesFolder() }];
  for (const other of others) {
    const root = existsSync(join(other, "dist")) ? resolve(other) : await checkOut(other);
    const packages = await temporaryFolder("bench");
    await linkInto(packages, root);
    states.push({ name: other, root, packages });
  }
  return states;
}
