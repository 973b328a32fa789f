import { parseArgs } from "node:util";

/** What the command line asks for. */
export interface CliArguments {
  readonly port: number;
  readonly host: string;
  /** null = random. */
  readonly token: string | null;
  readonly quiet: boolean;
  readonly help: boolean;
}

export const HELP = `Usage: messaging-simulator [options]

A local stand-in for the messaging service. Nothing is ever sent.

  --port <number>   port to listen on (default: any free port)
  --host <address>  address to listen on (default: 127.0.0.1)
  --allow-remote    permit a --host that other machines can reach
  --token <text>    control token (default: random)
  --quiet           do not print a line for each request
  --help            print this text
`;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/** Reads the command line. Throws a TypeError with one line for the user when something is wrong with it. */
export function parseCliArguments(args: readonly string[]): CliArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: "string", default: "0" },
      host: { type: "string", default: "127.0.0.1" },
      "allow-remote": { type: "boolean", default: false },
      token: { type: "string" },
      quiet: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const { port, host, token, quiet, help } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new TypeError("--port must be a number from 0 to 65535");
  }
  if (!LOOPBACK.test(host) && !values["allow-remote"]) {
    throw new TypeError(
      `--host ${host} can be reached from other machines; add --allow-remote if that is wanted`,
    );
  }
  if (token !== undefined && !/^[A-Za-z0-9._~-]{8,128}$/.test(token)) {
    throw new TypeError("--token must be 8 to 128 letters, digits, dots, underscores, tildes, dashes");
  }
  return { port: Number(port), host, token: token ?? null, quiet, help };
}
