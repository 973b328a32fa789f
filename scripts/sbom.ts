import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { licenceFaults, licenceOf, runtimeSbom } from "./sbom/runtime-sbom";

/** Writes the SBOM of what a user installs, lists each package with its licence, and fails for a licence that is not allowed. */

const ROOT = join(__dirname, "..");
const FILE = "reports/sbom.cdx.json";

async function main(): Promise<void> {
  const sbom = await runtimeSbom(ROOT);
  const target = join(ROOT, FILE);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, `${JSON.stringify(sbom, null, 2)}\n`);
  for (const component of sbom.components) {
    const optional = component.scope === "optional" ? ", optional" : "";
    console.log(`${component.name} ${component.version}: ${licenceOf(component) ?? "no licence"}${optional}`);
  }
  console.log(`wrote ${FILE}`);
  for (const fault of licenceFaults(sbom.components)) {
    console.error(`licence not allowed: ${fault}`);
    process.exitCode = 1;
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
