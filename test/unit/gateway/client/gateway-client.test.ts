import assert from "node:assert/strict";
import { newGates, sms } from "../../../support/gateway/gateway-settings";
import { useGateway } from "../../../support/gateway/use-gateway";
import { waitFor } from "../../../support/wait-for";

describe("a client of the service", () => {
  const gateway = useGateway();

  it("closes the connections of workers that sent in another order than their numbers", async () => {
    const { server, answerAt } = await gateway.serveHeld();
    const client = gateway.clientOf(server.url);
    const verdict = gateway.send(client, sms(), {}, newGates(), 3);
    await answerAt(0);
    assert.equal((await verdict).outcome, "sent");
    await client.destroy();
    await waitFor("the connection to close", () => server.sockets.size === 0);
  });
});
