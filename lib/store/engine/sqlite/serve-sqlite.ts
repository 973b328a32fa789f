import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { setFeatureTables } from "../../schema/feature-tables";
import type { SqliteDriver } from "./sqlite-driver";
import { refusals, SqliteGroups } from "./sqlite-groups";
import type { Batch, FromThread, SqliteThreadData, ToThread } from "./sqlite-protocol";

/** Operations of one transaction. More would make each of them wait too long. */
const LARGEST_GROUP = 1_000;

const data = workerData as SqliteThreadData;
setFeatureTables(data.featureTables);
/** Who reads shares no commit, and has a look of its own at what is there. */
const largest = data.reads ? 1 : LARGEST_GROUP;
const port = parentPort;

const reply = (message: FromThread): void => port?.postMessage(message);

type Operation = Batch["operations"][number];

/** Runs everything that has come in while the last group was written. */
function takeAll(groups: SqliteGroups, first: ToThread): void {
  let message: ToThread | undefined = first;
  const operations: Operation[] = [];
  const runAll = (): void => {
    while (operations.length > 0 && groups.end === null) {
      reply(groups.run(operations.splice(0, largest)));
    }
  };
  while (message !== undefined && groups.end === null) {
    if (typeof message === "object") {
      groups.addTexts(message.texts);
      operations.push(...message.operations);
    } else if (message === "tidy") {
      runAll();
      groups.tidy();
      reply("tidied");
    } else {
      runAll();
      groups.close();
      port?.close();
      return;
    }
    message = port === null ? undefined : (receiveMessageOnPort(port)?.message as ToThread | undefined);
  }
  runAll();
  if (groups.end !== null) {
    // What has come meanwhile was not begun, and fails when this thread is gone.
    reply(refusals(operations, groups.end, false));
    port?.close();
  }
}

/** The work of a thread that `SqliteEngine` has started. @param driver rejects where this computer has none */
export function serveSqlite(driver: Promise<SqliteDriver>): void {
  const serve = (loaded: SqliteDriver | Error): void => {
    const groups = new SqliteGroups(loaded, data);
    port?.on("message", (message: ToThread) => takeAll(groups, message));
  };
  void driver.then(serve, serve);
}
