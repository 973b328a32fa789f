import "../../../use-features";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import type { StoreError } from "../../../lib/store/engine/store-error";
import { Store } from "../../../lib/store/store";
import { answered, newJob, newRequest } from "./suite/store-under-test";

/**
 * A process of its own that writes into the store of a folder until it is killed, and prints the key of each job after its
 * commit: `taken`, `leaving` and `settled`. With `once` it prints `open`, or the code of the error, and waits.
 */
const [folder = "", name = "", once] = process.argv.slice(2);

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function write(): Promise<void> {
  const { engine } = await shareSqlite(folder, { lockTimeout: 100 });
  const store = new Store(engine, { keepTexts: true });
  if (once !== undefined) {
    await store.backlog.counts("a1").then(
      () => say("open"),
      ({ code }: StoreError) => say(code),
    );
    setInterval(() => {}, 1_000);
    return;
  }
  await store.instances(name).start();
  for (let at = 0; ; at++) {
    const key = `${name}-${at}`;
    const id = await store.ids.one();
    const requests = [0, 1, 2].map((part) =>
      newRequest({ part, recipients: ["1001", "1002"], clientMessageId: key }),
    );
    await store.jobs.accept(newJob({ id, resultOwner: name }), requests);
    say(`taken ${key}`);
    const claimed = await store.claims.claim("a1", name, 3);
    for (const { clientMessageId } of claimed) say(`leaving ${clientMessageId}`);
    const [first] = claimed;
    if (first !== undefined) {
      await store.settlements.settle(name, [answered(first.id)]);
      say(`settled ${first.clientMessageId}`);
    }
  }
}

void write();
