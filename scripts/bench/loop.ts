import { once } from "node:events";
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
type Write = (batch: readonly Values[]) => void | Promise<void>;

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
  const commitReceived = async (received: readonly Values[]): Promise<void> => {
    await (await opened)(received);
    parentPort?.postMessage(null);
  };
  parentPort?.on("message", (received: readonly Values[]) => void commitReceived(received));
}

let commit: Write;
const batch: Values[] = [];
let last: Promise<void> = Promise.resolve();
let next: Promise<void> | null = null;

/** Groups writes: those during a commit share the next one. */
function write(...values: Values): Promise<void> {
  batch.push(values);
  next ??= last = commitAfter(last);
  return next;
}

async function commitAfter(previous: Promise<void>): Promise<void> {
  await previous;
  await new Promise((resolve) => setImmediate(resolve));
  next = null;
  await commit(batch.splice(0));
}

let pool: Pool;
let count = 0;
const authorization = `Basic ${Buffer.from(`${USER.username}:${USER.password}`).toString("base64")}`;
const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };

async function send(): Promise<void> {
  const message = makeMessage();
  const id = ++count;
  const form = { recipientAddressList: message.to.slice(1), messageContent: message.payload };
  const body = new URLSearchParams({ ...form, clientMessageId: `${id}-x` }).toString();
  await write(id, message.to, body, JSON.stringify(message), Date.now());
  const response = await pool.request({ path: SMS_PATH, method: "POST", headers, body });
  const text = await response.body.text();
  await write(text, new URLSearchParams(text).get("transferId") ?? "", id);
}

function openThread(file: string): Write {
  const thread = new Thread(__filename, { workerData: file });
  return async (batch) => {
    thread.postMessage(batch);
    await once(thread, "message");
  };
}

if (isMainThread) {
  worker({
    start: async ({ url, file }: { url: string; file: string | null }) => {
      pool = new Pool(url, { connections: 32 });
      commit = file === null ? await openDatabase(":memory:") : openThread(file);
    },
    sample: (task: SampleTask) => sample(task, send),
  });
}
