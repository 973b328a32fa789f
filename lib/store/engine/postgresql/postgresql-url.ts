import type { ConnectionOptions } from "node:tls";
import { OpenError } from "../open-error";
import type { PostgresqlSettings } from "./postgresql-settings";

/** Where a server is, and how it is entered. */
export interface PostgresqlTarget {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** null for a connection without TLS. */
  readonly tls: ConnectionOptions | null;
}

const PROTOCOLS = ["postgres:", "postgresql:"];
const DEFAULT_PORT = 5432;
/** Values of `sslmode`, and whether there is TLS; with TLS the certificate is always verified. */
const SSL_MODES: Readonly<Record<string, boolean>> = {
  disable: false,
  require: true,
  "verify-ca": true,
  "verify-full": true,
};
/** PostgreSQL cuts longer names off, and two schemas would be one. */
const LONGEST_NAME = 63;

const wrong = (detail: string): OpenError => new OpenError("STORE_BAD_URL", detail);

function parse(url: string): URL {
  let parsed: URL;
  try {
    parsed = new URL(url.trim());
  } catch {
    // The error of the parser contains the URL, and with it the password.
    throw wrong("");
  }
  // A password with "/", "?" or "#" that is not encoded ends up behind the host.
  if (`${parsed.pathname}${parsed.search}${parsed.hash}`.includes("@") || parsed.hash !== "") {
    throw wrong("%");
  }
  if (!PROTOCOLS.includes(parsed.protocol)) {
    throw wrong("postgresql://");
  }
  return parsed;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong("%");
  }
}

function tlsOf({ searchParams }: URL): ConnectionOptions | null {
  for (const name of searchParams.keys()) {
    if (name !== "sslmode") {
      throw wrong(/^[a-z_]{1,32}$/.test(name) ? name : "");
    }
  }
  const modes = searchParams.getAll("sslmode");
  const [mode = "disable"] = modes;
  if (modes.length > 1 || !Object.hasOwn(SSL_MODES, mode)) {
    throw wrong("sslmode");
  }
  return SSL_MODES[mode] === true ? {} : null;
}

/**
 * Reads the URL of a server. Nothing is taken from environment variables or files of this computer.
 * @throws OpenError STORE_BAD_URL, with nothing of the URL in it but the name of a parameter
 */
export function readPostgresqlUrl({ url, schema, tls }: PostgresqlSettings): PostgresqlTarget {
  const parsed = parse(url);
  const host = decode(parsed.hostname).replace(/^\[(.*)\]$/, "$1");
  const [user, password] = [decode(parsed.username), decode(parsed.password)];
  const database = decode(parsed.pathname.slice(1));
  for (const [name, value] of Object.entries({ host, user, database, schema })) {
    if (
      value === "" ||
      value.includes("\0") ||
      (name !== "host" && Buffer.byteLength(value) > LONGEST_NAME)
    ) {
      throw wrong(name);
    }
  }
  const asked = tlsOf(parsed);
  return {
    host,
    port: parsed.port === "" ? DEFAULT_PORT : Number(parsed.port),
    database,
    user,
    password,
    tls: tls ?? asked,
  };
}
