import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { sms } from "../../../support/gateway/gateway-settings";
import { brief, useGateway } from "../../../support/gateway/use-gateway";
import { ACCEPTED, answer } from "../../../support/http/fault-server";

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const WITH_FIELDS = "HTTP/1.1 100 Continue\r\nDate: today\r\nx-trace: 100\r\n\r\n";
const FINAL = answer(200, ACCEPTED);
/** Each list of pieces answers one request; the last has what looks like an interim answer in its body. */
const ANSWERS: readonly (readonly string[])[] = [
  [CONTINUE + FINAL],
  [CONTINUE + WITH_FIELDS, CONTINUE, FINAL],
  [...(WITH_FIELDS + CONTINUE + FINAL)],
  [answer(200, `${ACCEPTED}&x=HTTP/1.1 100 Continue`)],
];

/** Writes each piece in a turn of its own. */
function inTurns(socket: Socket, [first, ...rest]: readonly string[]): void {
  if (first !== undefined) {
    socket.write(first, "latin1", () => setImmediate(inTurns, socket, rest));
  }
}

describe("gateway interim responses", () => {
  const { serve, clientOf, send } = useGateway();

  // RFC 9110, 15.2: a client has to bear interim answers that it did not ask for.
  it("sends each message once, on one connection, when 100 Continue precedes responses", async () => {
    let answered = 0;
    const server = await serve((socket) => inTurns(socket, ANSWERS[answered++] ?? []));
    const client = clientOf(server.url, { connections: 1 });
    for (const _each of ANSWERS) {
      assert.equal(brief(await send(client, sms())), "sent OK");
    }
    assert.deepEqual([server.connections, server.requests.length], [1, ANSWERS.length]);
  });
});
