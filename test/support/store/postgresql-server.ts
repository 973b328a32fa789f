import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { findPostgresql, findPostgresqlUser } from "../fetched-tools";
import { freePort } from "../http/free-port";
import { waitFor } from "../wait-for";

const run = promisify(execFile);

/** Name and password of the superuser of test servers. */
const USER = "tester";
const PASSWORD = "right-password";

/** Has a row for each operation in the database that waits for a lock. */
export const LOCK_AWAITED =
  "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";

/** What tests do with a PostgreSQL server that others use at the same time. */
export interface Databases {
  readonly port: number;
  /** URL of an empty database; name and password of its owner, who is a superuser, are in it. */
  readonly url: string;
  /** Makes an empty database. @returns its URL */
  readonly newDatabase: () => Promise<string>;
  /** Runs statements as the superuser. */
  readonly query: (text: string, url?: string) => Promise<readonly Record<string, unknown>[]>;
}

/** A PostgreSQL server of its own, in a temporary folder, on a free port of 127.0.0.1. */
export interface PostgresqlServer extends Databases {
  /** Ids of its processes at this moment; the first one has started the others. */
  readonly processes: () => readonly number[];
  /** Ends it without a word to its clients, as a crash of the machine would. Resolves when all of its processes are gone. */
  readonly kill: () => Promise<void>;
  /** Ends it in order: clients are disconnected. */
  readonly stop: () => Promise<void>;
  /** Starts it again after `kill` or `stop`, on the same port with the same data. */
  readonly start: () => Promise<void>;
  /** Stops every process of it, so that clients get no answer and no error. */
  readonly freeze: () => Promise<void>;
  readonly thaw: () => Promise<void>;
  /** Ends it and removes its folder. */
  readonly remove: () => Promise<void>;
}

/** Ids of the processes below one. */
function childrenOf(parent: number): readonly number[] {
  try {
    return readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8")
      .trim()
      .split(" ")
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

const isAlive = (process_: number): boolean => {
  try {
    // A process that ended stays until its parent has asked for it.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${process_}/status`, "utf8"));
  } catch {
    return false;
  }
};

function signal(processes: readonly number[], name: NodeJS.Signals): void {
  for (const each of processes) {
    try {
      process.kill(each, name);
    } catch {
      // It has ended.
    }
  }
}

let databases = 0;

function databasesOn(port: number): Pick<Databases, "newDatabase" | "query"> {
  const urlOf = (database: string): string =>
    `postgresql://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`;
  const query = async (
    text: string,
    url = urlOf("postgres"),
  ): Promise<readonly Record<string, unknown>[]> => {
    const client = new Client({ connectionString: url });
    // What a killed server does to it is said by the query.
    client.on("error", () => {});
    await client.connect();
    try {
      const { rows } = await client.query(text);
      return rows as Record<string, unknown>[];
    } finally {
      await client.end().catch(() => {});
    }
  };
  const newDatabase = async (): Promise<string> => {
    const name = `test_${process.pid}_${++databases}`;
    await query(`CREATE DATABASE ${name}`);
    return urlOf(name);
  };
  return { newDatabase, query };
}

/** An empty database of its own on a server that `startPostgresql` of this or another process has started. */
export async function databasesOf(port: number): Promise<Databases> {
  const on = databasesOn(port);
  return { ...on, port, url: await on.newDatabase() };
}

/**
 * Starts a server with the settings of a fresh installation.
 * @param settings of its own, as `{ max_connections: "20" }`
 * @param among the folder in which it makes its own
 * @returns null where PostgreSQL cannot be had here, which is said in the output
 */
export async function startPostgresql(
  settings: Readonly<Record<string, string>> = {},
  among = tmpdir(),
): Promise<PostgresqlServer | null> {
  const programs = findPostgresql();
  if (programs === null) {
    console.log("        skipped: there is no PostgreSQL");
    return null;
  }
  const user = findPostgresqlUser();
  const folder = mkdtempSync(join(among, "messaging-postgresql-"));
  if (user.uid !== undefined && user.gid !== undefined) {
    chownSync(folder, user.uid, user.gid);
  }
  const data = join(folder, "data");
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, PASSWORD, { mode: 0o644 });
  await run(
    join(programs, "initdb"),
    ["-D", data, "-A", "scram-sha-256", `--pwfile=${passwordFile}`, "-U", USER, "-E", "UTF8", "--no-sync"],
    user,
  );
  const port = await freePort();
  const { newDatabase, query } = databasesOn(port);

  let child: ChildProcess | null = null;
  let output = "";
  const start = async (): Promise<void> => {
    const all = {
      listen_addresses: "127.0.0.1",
      port: `${port}`,
      unix_socket_directories: folder,
      // A killed server leaves its shared memory behind, so that is in the folder.
      dynamic_shared_memory_type: "mmap",
      ...settings,
    };
    const started = spawn(
      join(programs, "postgres"),
      ["-D", data, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
      { ...user, stdio: ["ignore", "pipe", "pipe"] },
    );
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output = `${output}${chunk}`.slice(-10_000);
      });
    }
    const isReady = async (): Promise<boolean> => {
      if (started.exitCode !== null) {
        throw new Error(`PostgreSQL did not start: ${output}`);
      }
      return query("SELECT 1").then(
        () => true,
        () => false,
      );
    };
    await waitFor("PostgreSQL to start", isReady);
  };
  const everyProcess = (): readonly number[] => {
    const main = child?.pid;
    return main === undefined ? [] : [main, ...childrenOf(main)];
  };
  const end = async (name: NodeJS.Signals): Promise<void> => {
    const processes = everyProcess();
    // The main process first: it would start others anew.
    signal(name === "SIGKILL" ? processes : processes.slice(0, 1), name);
    // Until this process has reaped it, PostgreSQL takes its lock file for that of a running server.
    const isReaped = (): boolean => child === null || child.exitCode !== null || child.signalCode !== null;
    await waitFor("PostgreSQL to end", () => !processes.some(isAlive) && isReaped());
    child = null;
  };
  await start();
  // It must not outlive a process that is ended by force.
  const gone = (): void => {
    signal(everyProcess(), "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", gone);
  return {
    port,
    url: await newDatabase(),
    newDatabase,
    query,
    processes: everyProcess,
    kill: () => end("SIGKILL"),
    stop: () => end("SIGINT"),
    start,
    freeze: async () => signal(everyProcess(), "SIGSTOP"),
    thaw: async () => signal(everyProcess(), "SIGCONT"),
    remove: async () => {
      process.off("exit", gone);
      signal(everyProcess(), "SIGCONT");
      await end("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
