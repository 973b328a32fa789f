import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { type Batch, Dispatcher } from "../../../../lib/gateway/queue/dispatcher";
import { collect, leftBySmallCollections } from "../../../support/small-collections";
import { settingsFor, sms } from "../../../support/gateway/gateway-settings";
import { openHandle } from "../../../support/gateway/use-gateway";

const BODY = "statusCode=2000&statusMessage=Ok&transferId=0a1b2c3d4e5f&smsCount=1";
const ANSWER = `HTTP/1.1 200 OK\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;

const MESSAGES = 2_000;
/** Length of an array of each message: about 8 kB, next to which the engine's own needs do not count. */
const BALLAST = 1_024;
/** The Set leaves at least this many times as much. */
const TIMES = 5;

/** A Set that two small collections have met: the engine then takes what it holds, and all that follows, for old. */
function agedSet(): Set<Batch> {
  const set = new Set([sms()]);
  collect("the young");
  collect("the young");
  return set;
}

describe("gateway: memory", () => {
  // What is under way stood in a Set once: then every message stays until the next collection of everything.
  it("leaves little of a message that small collections cannot clear, compared with a Set that it passed", async () => {
    const sockets = new Set<Socket>();
    // Accepts whatever comes, and remembers nothing of it.
    const server = createServer((socket) => {
      sockets.add(socket.on("data", () => socket.write(ANSWER)));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const dispatcher = new Dispatcher(settingsFor(`http://127.0.0.1:${port}`, { connections: 16 }));
    const queue = openHandle(dispatcher);
    let accepted = 0;
    /** @param underWay holds each message until it is answered, as the faulty dispatcher did */
    const pass = async (messages: number, underWay?: Set<Batch>): Promise<void> => {
      let started = 0;
      const one = async (): Promise<void> => {
        while (started++ < messages) {
          const message = { ...sms(`message ${started}`), ballast: new Array(BALLAST).fill(started) };
          underWay?.add(message);
          const { outcome } = await queue.submit(message);
          underWay?.delete(message);
          accepted += outcome === "sent" ? 1 : 0;
          if (started % 50 === 0) {
            collect("the young");
          }
        }
      };
      await Promise.all(Array.from({ length: 16 }, one));
    };
    await pass(1_000);
    const left = await leftBySmallCollections(() => pass(MESSAGES));
    const leftBySet = await leftBySmallCollections(() => pass(MESSAGES, agedSet()));
    await dispatcher.close(0);
    for (const socket of sockets) {
      socket.destroy();
    }
    server.close();
    assert.ok(accepted >= 1_000 + 2 * MESSAGES, "messages were not sent");
    assert.ok(
      left * TIMES < leftBySet,
      `${left} bytes were left of ${MESSAGES} messages; in a Set it was ${leftBySet}`,
    );
  });
});
