import assert from "node:assert/strict";
import type {
  PostgresqlConnection,
  Query,
} from "../../../../lib/store/engine/postgresql/postgresql-connection";
import { PostgresqlSignals } from "../../../../lib/store/engine/postgresql/postgresql-signals";
import { waitFor } from "../../../support/wait-for";

/** A connection whose answers the test gives. */
class TestConnection {
  readonly process = 1;
  readonly isOpen = true;
  /** Topics of each message that was sent, and how it is answered. */
  readonly sent: { readonly topics: string; readonly answer: () => void }[] = [];

  query({ values }: Query): Promise<readonly never[]> {
    return values === undefined
      ? Promise.resolve([])
      : new Promise((resolve) => {
          this.sent.push({ topics: String(values[1]), answer: () => resolve([]) });
        });
  }
  onNotification(): void {}
  onEnd(): void {}
  unref(): void {}
  destroy(): void {}
  async end(): Promise<void> {}
}

describe("messages between processes in PostgreSQL", () => {
  const open = (connect: () => Promise<TestConnection>, heard: (string | null)[] = []) =>
    new PostgresqlSignals(
      "messaging",
      connect as unknown as () => Promise<PostgresqlConnection>,
      (topic) => void heard.push(topic),
    );

  it("are sent also when the one before took longer than the pace", async () => {
    const connection = new TestConnection();
    const signals = open(() => Promise.resolve(connection));
    signals.tell(["a"]);
    await waitFor("the first one", () => connection.sent.length === 1);
    signals.tell(["b"]);
    // A later timer than that of the pace.
    await new Promise((resolve) => setTimeout(resolve, 40));
    connection.sent[0]?.answer();
    await waitFor("the second one", () => connection.sent.length === 2);
    assert.deepEqual(
      connection.sent.map(({ topics }) => topics),
      ['["a"]', '["b"]'],
    );
    connection.sent[1]?.answer();
    await signals.close();
  });

  it("may have been missed where the first connection failed", async () => {
    const heard: (string | null)[] = [];
    let attempts = 0;
    const signals = open(
      () => (attempts++ === 0 ? Promise.reject(new Error("away")) : Promise.resolve(new TestConnection())),
      heard,
    );
    signals.start();
    await waitFor("all listeners to be told", () => heard.length === 1);
    assert.deepEqual([heard, attempts], [[null], 2]);
    await signals.close();
  });
});
