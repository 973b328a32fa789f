import { parseArgs } from "node:util";
import { type NewWebhook, parseWebhook } from "./webhooks/new-webhook";

export type CliArguments = ReturnType<typeof parseCliArguments>;

export const HELP = `Usage: messaging-simulator [options]

A local stand-in for the messaging service. Nothing is ever sent.

  --port <number>          port to listen on (default: any free port)
  --host <address>         address to listen on (default: 127.0.0.1)
  --allow-remote           permit a --host that other machines can reach
  --allow-host <name>      also accept this host name or address in requests; repeatable
  --token <text>           control token (default: random)
  --random-credentials     use random credentials instead of the documented ones
  --inbound-webhook <url>  call this URL with inbound messages; repeatable
  --status-webhook <url>   call this URL with status messages and reports; repeatable
  --first-retry <ms>       wait before the second attempt (default: 1000); doubles each time
  --longest-retry <ms>     longest wait between attempts (default: 3600000)
  --callback-host <name>   also call a notificationCallbackUrl on this host; repeatable
  --remote-callbacks       call a notificationCallbackUrl on any host; default: only this machine
  --quiet                  do not print a line for each request and each call
  --help                   print this text
`;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

export function parseCliArguments(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: "string", default: "0" },
      host: { type: "string", default: "127.0.0.1" },
      "allow-remote": { type: "boolean", default: false },
      "allow-host": { type: "string", multiple: true, default: [] },
      token: { type: "string" },
      "random-credentials": { type: "boolean", default: false },
      "inbound-webhook": { type: "string", multiple: true, default: [] },
      "status-webhook": { type: "string", multiple: true, default: [] },
      "first-retry": { type: "string", default: "1000" },
      "longest-retry": { type: "string", default: "3600000" },
      "callback-host": { type: "string", multiple: true, default: [] },
      "remote-callbacks": { type: "boolean", default: false },
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
      `--host ${host} can be reached from other machines; add --allow-remote to permit this`,
    );
  }
  if (token !== undefined && !/^[A-Za-z0-9._~-]{8,128}$/.test(token)) {
    throw new TypeError("--token must be 8 to 128 letters, digits, dots, underscores, tildes, dashes");
  }
  return {
    port: Number(port),
    host,
    allowedHosts: hosts("allow-host", values["allow-host"]),
    token: token ?? null,
    randomCredentials: values["random-credentials"],
    quiet,
    webhooks: [
      ...values["inbound-webhook"].map((url) => webhook("inbound", url)),
      ...values["status-webhook"].map((url) => webhook("status", url)),
    ],
    calling: {
      firstRetry: milliseconds("first-retry", values["first-retry"]),
      longestRetry: milliseconds("longest-retry", values["longest-retry"]),
      callbackHosts: hosts("callback-host", values["callback-host"]),
      remoteCallbacks: values["remote-callbacks"],
    },
    help,
  };
}

function webhook(kind: NewWebhook["kind"], url: string): NewWebhook {
  try {
    return parseWebhook({ kind, url });
  } catch {
    throw new TypeError(`--${kind}-webhook must be an http or https address`);
  }
}

function hosts(option: string, given: readonly string[]): string[] {
  return given.map((host) => {
    const url = `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}`;
    const { hostname = "", origin } = URL.canParse(url) ? new URL(url) : {};
    // Otherwise a port, a path or a user would be dropped silently.
    if (hostname === "" || origin !== `http://${hostname}` || /[/@?#]/.test(host)) {
      throw new TypeError(`--${option} must be a host name or an address, without a port`);
    }
    return hostname;
  });
}

function milliseconds(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new TypeError(`--${name} must be a number of milliseconds`);
  return Number(text);
}
