import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { Dispatcher } from "../../../../lib/gateway/queue/dispatcher";
import { collect, leftBySmallCollections } from "../../../support/small-collections";
import { settingsFor, sms } from "../gateway-settings";

const BODY = "statusCode=2000&statusMessage=Ok&transferId=0a1b2c3d4e5f&smsCount=1";
const ANSWER = `HTTP/1.1 200 OK\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;

describe("gateway: memory", () => {
  // What is under way stood in a Set once: then every message stays until the next collection of everything.
  it("leaves nothing of a message that small collections cannot clear", async function () {
    this.timeout(20_000);
    const sockets = new Set<Socket>();
    // Accepts whatever comes, and remembers nothing of it.
    const server = createServer((socket) => {
      sockets.add(socket.on("data", () => socket.write(ANSWER)));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const dispatcher = new Dispatcher(settingsFor(`http://127.0.0.1:${port}`, { connections: 16 }));
    const queue = dispatcher.openHandle();
    let accepted = 0;
    const pass = async (messages: number): Promise<void> => {
      let started = 0;
      const one = async (): Promise<void> => {
        while (started++ < messages) {
          const { outcome } = await queue.submit(sms(`message ${started}`));
          accepted += outcome === "sent" ? 1 : 0;
          if (started % 50 === 0) {
            collect("the young");
          }
        }
      };
      await Promise.all(Array.from({ length: 16 }, one));
    };
    await pass(3_000);
    const left = await leftBySmallCollections(() => pass(6_000));
    await dispatcher.close(0);
    for (const socket of sockets) {
      socket.destroy();
    }
    server.close();
    assert.equal(accepted, 9_000);
    assert.ok(left < 6_000 * 512, `${left} bytes were left of 6,000 messages`);
  });
});
