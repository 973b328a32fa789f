import { spawn } from "node:child_process";

/** Runs npm in a folder and gives its standard output. Rejects with npm's own words when it fails. */
export function npm(cwd: string, parameters: readonly string[]): Promise<string> {
  // Under `npm run` the variable names npm's own script; a bare "npm" needs a shell on Windows.
  const script = process.env.npm_execpath;
  const [command, prefix] = script?.endsWith(".js") ? [process.execPath, [script]] : ["npm", []];
  // What `npm run` sets would steer the inner npm as well, for example towards this package's own folder.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^npm_(package|lifecycle|command|config_local_prefix)/.test(name) && name !== "NODE_V8_COVERAGE",
    ),
  );
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...prefix, ...parameters], {
      cwd,
      env,
      shell: process.platform === "win32" && command === "npm",
      stdio: ["ignore", "pipe", "pipe"],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0
        ? resolve(Buffer.concat(out).toString())
        : reject(
            new Error(`npm ${parameters.join(" ")} failed:\n${Buffer.concat([...out, ...err]).toString()}`),
          ),
    );
  });
}
