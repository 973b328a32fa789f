import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { npm } from "../../test/support/node-red/npm";

/** One installed package, as far as licences are looked at. */
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly scope?: "required" | "optional";
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
}

/** The parts of a CycloneDX document that are read or changed here; the others pass as npm writes them. */
export interface Sbom {
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly Component[];
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: true }>>;
}

/**
 * Licences that this package, which is under Apache-2.0, may be installed with. A component with another licence, or with several to
 * choose from, needs a person's decision.
 */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
]);

/** The licence of a component as the SBOM names it; null where it names none. */
export const licenceOf = ({ licenses = [] }: Component): string | null =>
  licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression).join(" and ") || null;

/** A line for each component whose licence is missing or not allowed. */
export const licenceFaults = (components: readonly Component[]): readonly string[] =>
  components
    .filter((component) => !ALLOWED.has(licenceOf(component) ?? ""))
    .map((component) => `${component.name} ${component.version}: ${licenceOf(component) ?? "no licence"}`);

function withoutDev(entry: object): object {
  const { devDependencies: _, ...rest } = entry as { readonly devDependencies?: unknown };
  return rest;
}

/**
 * The SBOM (CycloneDX) of what a user installs, made by `npm sbom` of a copy of package.json and the lock file without the packages for
 * development: of the whole lock file `--omit dev` also leaves out what is needed both for development and at run time.
 */
export async function runtimeSbom(root: string): Promise<Sbom> {
  const [manifest, lock] = (await Promise.all(
    ["package.json", "package-lock.json"].map(async (file) =>
      JSON.parse(await readFile(join(root, file), "utf8")),
    ),
  )) as [{ readonly name: string }, Lock];
  const packages = Object.fromEntries(
    Object.entries(lock.packages)
      .filter(([, { dev }]) => dev === undefined)
      .map(([path, entry]) => [path, withoutDev(entry)]),
  );
  const folder = await mkdtemp(join(tmpdir(), "messaging-sbom-"));
  try {
    await writeFile(join(folder, "package.json"), JSON.stringify(withoutDev(manifest)));
    await writeFile(join(folder, "package-lock.json"), JSON.stringify({ ...lock, packages }));
    const made = await npm(folder, ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"]);
    const sbom: Sbom = JSON.parse(made);
    // npm takes the name of the folder.
    const component = { ...sbom.metadata.component, name: manifest.name };
    return { ...sbom, metadata: { ...sbom.metadata, component } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
