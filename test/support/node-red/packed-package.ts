import { existsSync, readFileSync, rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { npm } from "./npm";

/** Top of this repository. */
export const ROOT = resolve(__dirname, "../../..");

const manifest: {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
} = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

const temporary: string[] = [];
process.once("exit", () => {
  for (const folder of temporary) rmSync(folder, { recursive: true, force: true });
});

/** Makes a folder that goes away with this process. */
export async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `messaging-${name}-`));
  temporary.push(folder);
  return folder;
}

/** Packs what `dist/` holds now, as it would be published, and gives the path of the archive. */
export async function pack(): Promise<string> {
  if (!existsSync(join(ROOT, "dist"))) {
    throw new Error("there is no dist/: run `npm run build` first");
  }
  const folder = await temporaryFolder("pack");
  // Without scripts: `prepack` would build again, under the feet of whoever reads dist/ meanwhile.
  const report = await npm(ROOT, ["pack", "--ignore-scripts", "--json", "--pack-destination", folder]);
  const [{ filename }] = JSON.parse(report) as [{ filename: string }];
  return join(folder, filename.replace("@", "").replace("/", "-"));
}

/** Installs the archive into a Node-RED user directory as a user would: from the registry, without dev dependencies. */
async function installInto(userDir: string, archive: string): Promise<void> {
  await mkdir(userDir, { recursive: true });
  await writeFile(join(userDir, "package.json"), '{ "name": "node-red-project", "private": true }\n');
  await npm(userDir, [
    "install",
    archive,
    "--omit=dev",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    "--ignore-scripts",
  ]);
}

/** Packs what `dist/` holds now and installs it, and gives the folder, which goes away with this process. */
export async function installPackage(): Promise<string> {
  const folder = await temporaryFolder("installed");
  await installInto(folder, await pack());
  return folder;
}

let installed: Promise<string> | undefined;

/**
 * Makes a Node-RED user directory with the packed package in it: the one that `TEST_INSTALLED` names, where the
 * test run has installed it for all of its processes, or else one that is installed once for this process.
 */
export async function userDirWithPackage(): Promise<string> {
  const { TEST_INSTALLED: shared } = process.env;
  installed ??= shared ? Promise.resolve(shared) : installPackage();
  const [source, userDir] = await Promise.all([installed, temporaryFolder("user-dir")]);
  await cp(join(source, "package.json"), join(userDir, "package.json"));
  await symlink(join(source, "node_modules"), join(userDir, "node_modules"), "junction");
  return userDir;
}

/**
 * Installs what `dist/` holds now into a Node-RED user directory in no time and without a registry: the packed
 * files copied, the dependencies linked to those of this repository.
 * @param root another state of this repository, whose `dist/` is taken
 */
export async function linkInto(userDir: string, root = ROOT): Promise<void> {
  const report = await npm(root, ["pack", "--ignore-scripts", "--dry-run", "--json"]);
  const [{ files }] = JSON.parse(report) as [{ files: { path: string }[] }];
  const target = join(userDir, "node_modules", manifest.name);
  for (const { path } of files) {
    await mkdir(dirname(join(target, path)), { recursive: true });
    await cp(join(root, path), join(target, path));
  }
  for (const dependency of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const link = join(userDir, "node_modules", dependency);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(ROOT, "node_modules", dependency), link, "junction");
  }
  const entry = { name: "node-red-project", private: true, dependencies: { [manifest.name]: "*" } };
  await writeFile(join(userDir, "package.json"), `${JSON.stringify(entry, null, 2)}\n`);
}
