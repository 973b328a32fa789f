import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMainThread, parentPort, Worker as Thread, workerData } from "node:worker_threads";
import { Pool } from "undici";
import { loadSqlite } from "../../lib/store/engine/sqlite/sqlite-driver";
import { worker } from "workerpool";
import { makeMessage, SMS_PATH, type SampleTask, sample, USER } from "./processes";

/**
 * The loop that the package is compared with: undici and SQLite by hand. A message is durable before its first byte is sent, and its
 * response before it counts. A file is written by a thread, memory by the main thread.
 */

type Values = readonly (string | number)[];
type Write = (batch: readonly Values[]) => void;

const SCHEMA = `
  CREATE TABLE messages (id INTEGER PRIMARY KEY, state TEXT, number TEXT, body TEXT, snapshot TEXT, at INTEGER, response TEXT, transfer TEXT);
  CREATE INDEX pending ON messages (state) WHERE state <> 'done';
  CREATE INDEX by_number ON messages (number, id);
  CREATE INDEX by_transfer ON messages (transfer);
  CREATE INDEX by_time ON messages (at);`;
const INSERT =
  "INSERT INTO messages (id, state, number, body, snapshot, at) VALUES (?, 'sending', ?, ?, ?, ?)";
const SETTLE = "UPDATE messages SET state = 'done', response = ?, transfer = ? WHERE id = ?";
const INSERTED_VALUES = 5;

async function openDatabase(file: string): Promise<Write> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${SCHEMA}`);
  const [insert, settle] = [database.prepare(INSERT), database.prepare(SETTLE)];
  return (batch) => {
    database.exec("BEGIN IMMEDIATE");
    for (const values of batch) (values.length === INSERTED_VALUES ? insert : settle).all(...values);
    database.exec("COMMIT");
  };
}

if (!isMainThread) {
  const opened = openDatabase(workerData as string);
  const commit = async (batch: readonly Values[]): Promise<void> => {
    (await opened)(batch);
    parentPort?.postMessage(null);
  };
  parentPort?.on("message", (batch: readonly Values[]) => void commit(batch));
}

/** Groups writes: those that come during a commit share the next one. */
class Group {
  #batch: Values[] = [];
  #waiting: (() => void)[] = [];
  #isBusy = false;

  constructor(private readonly commit: (batch: readonly Values[]) => Promise<void>) {}

  write(...values: Values): Promise<void> {
    return new Promise((resolve) => {
      this.#batch.push(values);
      this.#waiting.push(resolve);
      if (this.#isBusy) return;
      this.#isBusy = true;
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#batch.length > 0) {
      const [batch, waiting] = [this.#batch, this.#waiting];
      [this.#batch, this.#waiting] = [[], []];
      await this.commit(batch);
      for (const resolve of waiting) resolve();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#isBusy = false;
  }
}

let group: Group;
let pool: Pool;
let count = 0;
const authorization = `Basic ${Buffer.from(`${USER.username}:${USER.password}`).toString("base64")}`;
const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };

async function send(): Promise<void> {
  const message = makeMessage();
  const id = ++count;
  const form = { recipientAddressList: message.to.slice(1), messageContent: message.payload };
  const body = new URLSearchParams({ ...form, clientMessageId: `${id}-x` }).toString();
  await group.write(id, message.to, body, JSON.stringify(message), Date.now());
  const response = await pool.request({ path: SMS_PATH, method: "POST", headers, body });
  const text = await response.body.text();
  await group.write(text, new URLSearchParams(text).get("transferId") ?? "", id);
}

function openThread(file: string): (batch: readonly Values[]) => Promise<void> {
  const thread = new Thread(__filename, { workerData: file });
  let committed = (): void => {};
  thread.on("message", () => committed());
  return (batch) =>
    new Promise((resolve) => {
      committed = resolve;
      thread.postMessage(batch);
    });
}

if (isMainThread) {
  const folder = mkdtempSync(join(tmpdir(), "bench-loop-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  worker({
    start: async ({ url, storage }: { url: string; storage: "memory" | "file" }) => {
      pool = new Pool(url, { connections: 32 });
      const write = storage === "memory" ? await openDatabase(":memory:") : null;
      group = new Group(write ? async (batch) => write(batch) : openThread(join(folder, "messages.db")));
    },
    sample: (task: SampleTask) => sample(task, send),
  });
}
