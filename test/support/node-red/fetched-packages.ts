import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { npm } from "./npm";

/** Installs packages into a folder, under another name until it is complete, so that a broken download is not taken for them. */
export async function fetchPackages(folder: string, packages: readonly string[]): Promise<void> {
  const making = `${folder}-${process.pid}`;
  await rm(making, { recursive: true, force: true });
  await mkdir(making, { recursive: true });
  await writeFile(`${making}/package.json`, '{ "private": true }\n');
  try {
    await npm(making, [
      "install",
      ...packages,
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      "--ignore-scripts",
      "--force",
    ]);
    await rm(folder, { recursive: true, force: true });
    await rename(making, folder);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** Why packages could not be fetched: the one line of npm's many that says what was wrong. */
export function whyNotFetched(error: unknown): string {
  const lines = error instanceof Error ? error.message.split("\n") : [String(error)];
  return (lines.find((line) => /npm error (?!code|errno|syscall)/.test(line)) ?? lines[0] ?? "").replace(
    "npm error ",
    "",
  );
}
