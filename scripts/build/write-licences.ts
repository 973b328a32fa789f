import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metafile } from "esbuild";

/** Development dependencies whose code is in the bundles. Users install none of them. */
const BUNDLED = ["@fastify/busboy", "mime-db", "mime-types", "preact", "re2js"];

const packageOf = (input: string): string | null =>
  /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? null;

/**
 * Writes the licences of the bundled packages.
 * @throws Error if a bundle has other packages, or a package has no licence
 */
export async function writeLicences(
  root: string,
  target: string,
  metafiles: readonly Metafile[],
): Promise<void> {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const found = [...new Set(inputs.map(packageOf).filter((name) => name !== null))].sort();
  if (found.join() !== BUNDLED.join()) {
    throw new Error(`The bundles have ${found.join(", ")}, expected: ${BUNDLED.join(", ")}.`);
  }
  const licences = BUNDLED.map(async (name) => {
    const folder = join(root, "node_modules", name);
    const paths = (await readdir(folder, { recursive: true })).filter((path) =>
      /(^|\/)licen[cs]e[^/]*$/i.test(path),
    );
    if (!paths.some((path) => !path.includes("/"))) {
      throw new Error(`The package ${name} has no licence.`);
    }
    const texts = await Promise.all(paths.sort().map((path) => readFile(join(folder, path), "utf8")));
    return `${name}\n\n${texts.map((text) => text.trim()).join("\n\n")}\n`;
  });
  await writeFile(target, (await Promise.all(licences)).join(`\n${"-".repeat(80)}\n\n`));
}
