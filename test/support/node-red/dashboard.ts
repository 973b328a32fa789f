import { existsSync, readdirSync, realpathSync, unlinkSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fetchPackages, whyNotFetched } from "./fetched-packages";
import { ROOT } from "./packed-package";

/** Of the version that the example names. Kept out of package.json: it brings 150 packages and 135 MB, for one example. */
const DASHBOARD = "@flowfuse/node-red-dashboard";
const VERSION = "1.31.0";
const FOLDER = join(ROOT, ".cache", "dashboard");
/** What was fetched, with its version. */
export const DASHBOARD_MANIFEST = join(FOLDER, "package.json");

/** Fetches the dashboard once. @returns why there can be none here; null where it is there */
export async function dashboardMissing(): Promise<string | null> {
  if (existsSync(join(FOLDER, "node_modules", DASHBOARD))) {
    return null;
  }
  return fetchPackages(FOLDER, [`${DASHBOARD}@${VERSION}`, "--save-exact"]).then(
    () => null,
    (error: unknown) => `the dashboard could not be fetched (${whyNotFetched(error)})`,
  );
}

/** Puts the dashboard beside the packages of a user directory, whose `node_modules` may be a link to a shared folder. */
export async function addDashboard(userDir: string): Promise<void> {
  const modules = join(userDir, "node_modules");
  const shared = realpathSync(modules);
  unlinkSync(modules);
  await mkdir(modules);
  const links = [
    ...readdirSync(shared).map((name) => [join(shared, name), join(modules, name)] as const),
    [join(FOLDER, "node_modules", DASHBOARD), join(modules, DASHBOARD)] as const,
  ];
  for (const [target, link] of links) {
    await mkdir(dirname(link), { recursive: true });
    await symlink(target, link, "junction");
  }
}
