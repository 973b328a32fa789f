import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { loadSqlite } from "./sqlite-driver";
import { wordsOf } from "./sqlite-fault";
import { SqliteGroups } from "./sqlite-groups";
import type { Batch, FromThread, SqliteThreadData, ToThread } from "./sqlite-protocol";

/** Operations of one transaction. More would make each of them wait too long. */
const LARGEST_GROUP = 1_000;

const data = workerData as SqliteThreadData;
const port = parentPort;

const reply = (message: FromThread): void => port?.postMessage(message);

type Operation = Batch["operations"][number];

/** Runs everything that has come in while the last group was written. */
function takeAll(groups: SqliteGroups, first: ToThread): void {
  let message: ToThread | undefined = first;
  const operations: Operation[] = [];
  const runAll = (): void => {
    while (operations.length > 0) {
      reply(groups.run(operations.splice(0, LARGEST_GROUP)));
    }
  };
  while (message !== undefined) {
    if (typeof message === "object") {
      groups.addTexts(message.texts);
      operations.push(...message.operations);
    } else {
      runAll();
      if (message === "close") {
        groups.close();
        port?.close();
        return;
      }
      groups.tidy();
      reply("tidied");
    }
    message = port === null ? undefined : (receiveMessageOnPort(port)?.message as ToThread | undefined);
  }
  runAll();
}

/** Without a driver every operation fails with the reason. */
function refuseAll(error: unknown, message: ToThread): void {
  if (message === "close") {
    port?.close();
  } else if (message === "tidy") {
    reply("tidied");
  } else {
    const failure = { fault: "STORE_NO_DRIVER", detail: wordsOf(error), uncertain: false } as const;
    reply(message.operations.map(([id]) => ({ id, failure })));
  }
}

const loaded = loadSqlite(data.driver ?? undefined).then(
  (driver) => {
    const groups = new SqliteGroups(driver, data);
    port?.on("message", (message: ToThread) => takeAll(groups, message));
  },
  (error: unknown) => {
    port?.on("message", (message: ToThread) => refuseAll(error, message));
  },
);
void loaded;
