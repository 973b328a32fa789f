import assert from "node:assert/strict";
import { StoreHealth } from "../../../../../lib/gateway/queue/stored/store-health";
import { StoreError } from "../../../../../lib/store/engine/store-error";

const AWAY = new StoreError("STORE_UNREACHABLE", "db", "", false);

function setUp() {
  const told: (string | null)[] = [];
  const health = new StoreHealth((error) => void told.push(error === null ? null : error.message));
  const asked: string[] = [];
  const prove = (isKnown: boolean | Error): Promise<boolean> =>
    health.prove(
      async () => {
        asked.push(`beat ${health.mode}`);
        if (isKnown instanceof Error) {
          throw isKnown;
        }
        return isKnown;
      },
      () => void asked.push("lost"),
    );
  return { health, told, asked, prove };
}

describe("what a queue knows of its store", () => {
  it("is that it works, until it fails: then a heartbeat has to prove it", async () => {
    const { health, asked, prove } = setUp();
    assert.equal(await prove(false), true, "nobody asks without a doubt");
    health.failed(AWAY);
    assert.equal(health.mode, "doubtful");
    await assert.rejects(prove(AWAY), AWAY);
    health.failed(AWAY);
    assert.equal(await prove(true), true);
    assert.equal(health.mode, "sound");
    assert.deepEqual(asked, ["beat sound", "beat sound"]);
  });

  it("is for ever that it does not know this process, once it has said so", async () => {
    const { health, asked, prove } = setUp();
    health.failed(AWAY);
    assert.equal(await prove(false), false);
    health.failed(AWAY);
    assert.equal(await prove(true), false);
    assert.deepEqual([health.mode, asked], ["lost", ["beat sound", "lost"]]);
  });

  it("is not in doubt for the fault of a message", () => {
    const { health, told } = setUp();
    health.failed(new Error("a flow"));
    assert.deepEqual([health.mode, told], ["sound", ["a flow"]]);
  });

  it("is told of each failure, and once that it works again", () => {
    const { health, told } = setUp();
    health.works();
    health.failed(new Error("one"));
    health.failed(new Error("two"));
    health.works();
    health.works();
    assert.deepEqual(told, ["one", "two", null]);
  });
});
