import assert from "node:assert/strict";
import { connect } from "node:net";
import type { ConnectionFault } from "../../../../simulator/faults/fault-rule";
import { startSimulator } from "../../../../simulator/index";
import { rawSend, sendForm, until } from "../raw-request";
import { selfSigned } from "../self-signed";
import { useSimulator } from "../use-simulator";

describe("simulator: connection faults", () => {
  const simulator = useSimulator();

  /** All bytes that come back for one request, and the code of the error that ends them. */
  function exchange(): Promise<{ bytes: string; error: string | null }> {
    return new Promise((resolve) => {
      let bytes = "";
      let error: string | null = null;
      const socket = connect(simulator.port, "127.0.0.1");
      socket.on("data", (chunk) => {
        bytes += chunk.toString("latin1");
      });
      socket.on("error", (cause: NodeJS.ErrnoException) => {
        error = cause.code ?? "";
      });
      socket.on("close", () => resolve({ bytes, error }));
      socket.write(rawSend("41790000000"));
    });
  }

  const faults: Record<Exclude<ConnectionFault, "stall">, [RegExp, string | null, number, number | null]> = {
    "reset-before-accept": [/^$/, "ECONNRESET", 0, null],
    "drop-after-accept": [/^$/, null, 1, null],
    "cut-header": [/^HTTP\/1\.1 200 OK\r\n(?!.*\r\n\r\n)/s, null, 1, null],
    "cut-body": [/\r\ncontent-length: 75\r\n\r\nstatusCode=2000&statusMessage=OK&tran$/, null, 1, 200],
    garbage: [/^(?!HTTP).{3} this is no HTTP/s, null, 1, null],
  };
  for (const [connection, [expected, code, accepted, httpStatus]] of Object.entries(faults)) {
    it(connection, async () => {
      simulator.main.addFault({ answer: { connection: connection as ConnectionFault } });
      const { bytes, error } = await exchange();
      assert.match(bytes, expected);
      assert.equal(error, code);
      assert.equal(simulator.main.messages.length, accepted);
      const [record] = simulator.main.requests;
      assert.deepEqual(record?.fault, { id: record?.fault?.id, kind: connection });
      assert.deepEqual([record?.httpStatus, record?.statusCode], [httpStatus, null]);
    });
  }

  it("cuts a failure off where nothing is accepted", async () => {
    simulator.main.addFault({ answer: { connection: "cut-body", accept: false } });
    const { bytes } = await exchange();
    assert.match(bytes, /\r\n\r\nstatusCode=5000&/);
    assert.equal(simulator.main.messages.length, 0);
  });

  it("stalls with and without accepting, until it is paused", async () => {
    simulator.main.addFault({ answer: { connection: "stall" } });
    simulator.main.addFault({ answer: { connection: "stall", accept: false } });
    const pending = [exchange(), exchange()];
    await until(() => simulator.main.requests.length === 2);
    assert.equal(simulator.main.messages.length, 1);
    await simulator.pause();
    for (const { bytes } of await Promise.all(pending)) assert.equal(bytes, "");
    await simulator.resume();
  });

  it("resets a connection under TLS too", async () => {
    const own = await startSimulator({ tls: selfSigned() });
    own.main.addFault({ answer: { connection: "reset-before-accept" } });
    const body = "recipientAddressList=41790000000&messageContent=x";
    await assert.rejects(sendForm(own.url, body), { code: "ECONNRESET" });
    assert.equal(own.main.messages.length, 0);
    assert.match((await sendForm(own.url, body)).body, /^statusCode=2000&/);
    await own.close();
  });
});
