import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { skipContinue } from "../../../../lib/gateway/http/skip-continue";
import type { GatewaySettings } from "../../../../lib/gateway/contract/settings";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import { type Identity, makeCertificates } from "../../../support/http/certificates";
import { ACCEPTED, answer, type FaultServer } from "../../../support/http/fault-server";
import { sms } from "../../../support/gateway/gateway-settings";
import { brief, useGateway } from "../../../support/gateway/use-gateway";

/** A client has to bear interim answers that it did not ask for. RFC 9110, 15.2. */

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const WITH_FIELDS = "HTTP/1.1 100 Continue\r\nDate: today\r\nx-trace: 100\r\n\r\n";
const FINAL = answer(200, ACCEPTED);
const REQUEST = "POST / HTTP/1.1\r\ncontent-length: 2\r\n\r\n";

/** A connection whose other side is the test. */
class Line extends Duplex {
  override _read(): void {}
  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    done();
  }
}

function newLine(): Line {
  return skipContinue(new Line() as unknown as Socket) as unknown as Line;
}

/** What the HTTP client reads, to the byte: it reads until there is nothing left, after each piece. */
function readAll(line: Line): string {
  let read = "";
  for (let piece: Buffer | null = line.read(); piece !== null; piece = line.read()) {
    assert.ok(piece.length > 0);
    read += piece.toString("latin1");
  }
  return read;
}

function afterRequest(line: Line, pieces: readonly string[]): string {
  line.write(REQUEST, "latin1");
  line.write(Buffer.from("ab"));
  return pieces
    .filter((piece) => piece !== "")
    .map((piece) => {
      line.push(Buffer.from(piece, "latin1"));
      return readAll(line);
    })
    .join("");
}

describe("gateway interim answers: the bytes of a connection", () => {
  const MORE = [
    "HTTP/1.1 102 Processing\r\nx: y\r\n\r\n",
    "HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n",
  ] as const;
  /** `wanted` is what passes; all of it where there is none. */
  const cases: readonly [what: string, given: string, wanted?: string][] = [
    ["a 100 before the answer", CONTINUE + FINAL, FINAL],
    ["three of them", CONTINUE.repeat(3) + FINAL, FINAL],
    ["one with header fields", WITH_FIELDS + FINAL, FINAL],
    ["one without a reason", `HTTP/1.1 100\r\n\r\n${FINAL}`, FINAL],
    ["one of HTTP/1.0 with bare line feeds", `HTTP/1.0 100 Go\nx: y\n\n${FINAL}`, FINAL],
    [
      "102 and 103, which pass, between them",
      CONTINUE + MORE[0] + WITH_FIELDS + MORE[1] + CONTINUE + FINAL,
      MORE[0] + MORE[1] + FINAL,
    ],
    ["no 100", FINAL],
    ["a 100 in a body", answer(200, CONTINUE + WITH_FIELDS)],
    ["a 100 after a head", `HTTP/1.1 204 No\r\n\r\n${CONTINUE}`],
    ["a change of protocol", `HTTP/1.1 101 Switching\r\n\r\n${CONTINUE}`],
    ["four digits", `HTTP/1.1 1000 X\r\n\r\n${FINAL}`],
    ["another protocol", "SSH-2.0-11100 100\r\n\r\n"],
  ];
  for (const [what, given, wanted = given] of cases) {
    it(`${what}: the same wherever it is split`, () => {
      for (let at = 0; at <= given.length; at++) {
        assert.equal(afterRequest(newLine(), [given.slice(0, at), given.slice(at)]), wanted, `at ${at}`);
      }
      for (let size = 1; size < 16; size++) {
        const pieces = given.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
        assert.equal(afterRequest(newLine(), pieces), wanted, `${size} bytes each`);
      }
    });
  }

  it("are looked at again for the next request, and not before it", () => {
    const line = newLine();
    for (const given of [CONTINUE + FINAL, FINAL, CONTINUE + FINAL]) {
      assert.equal(afterRequest(line, [given]), FINAL);
    }
    line.push(CONTINUE);
    assert.equal(readAll(line), CONTINUE);
  });

  it("are not looked at anew for the body of a request, nor for the framing of its chunks", () => {
    const line = newLine();
    const first = FINAL.slice(0, -5);
    assert.equal(afterRequest(line, [first]), first);
    line.write(Buffer.from("POST more"));
    line.write("\r\n4\r\n", "latin1");
    line.push(CONTINUE);
    assert.equal(readAll(line), CONTINUE);
  });

  it("are bounded before one answer, not over all of them", () => {
    const line = newLine();
    const most = CONTINUE.repeat(Math.floor((64 * 1024) / CONTINUE.length));
    for (let turn = 0; turn < 3; turn++) {
      assert.equal(afterRequest(line, [most, FINAL]), FINAL);
    }
    const errors: (Error & { code?: string })[] = [];
    line.on("error", (error) => errors.push(error));
    assert.equal(afterRequest(line, [most, CONTINUE]), "");
    assert.ok(line.destroyed);
    assert.equal((line.errored as { code?: string } | null)?.code, "UND_ERR_HEADERS_OVERFLOW");
  });
});

describe("gateway interim answers: sends", () => {
  const { serve, proxyOf, clientOf, send } = useGateway();

  async function start(
    write: (socket: Socket) => unknown,
    changed: Partial<GatewaySettings> = {},
    tls?: Identity,
  ): Promise<{ server: FaultServer; ask: (text?: string) => Promise<Verdict> }> {
    const server = await serve(write, tls && { tls });
    const client = clientOf(server.url, { connections: 1, ...changed });
    return { server, ask: (text) => send(client, sms(text)) };
  }

  const sent = ({ outcome, statusMessage, transferId }: Verdict): void =>
    assert.equal(`${outcome} ${transferId}`, "sent 00670eb55d00349e1111", statusMessage);

  /** Each piece in a turn of its own, so that it is a packet of its own. */
  function inTurns(socket: Socket, [first, ...rest]: readonly string[]): void {
    if (first !== undefined) {
      socket.write(first, "latin1", () => setImmediate(inTurns, socket, rest));
    }
  }

  const shapes: readonly [what: string, pieces: readonly string[]][] = [
    ["in one packet with the answer", [CONTINUE + FINAL]],
    ["in a packet of its own", [CONTINUE, FINAL]],
    ["several, with header fields", [CONTINUE + WITH_FIELDS, CONTINUE, FINAL]],
    ["byte by byte", [...(WITH_FIELDS + CONTINUE + FINAL)]],
  ];
  for (const [what, pieces] of shapes) {
    it(`unrequested 100 Continue, ${what}: sent, on one connection`, async () => {
      const { server, ask } = await start((socket) => inTurns(socket, pieces));
      for (let turn = 0; turn < 3; turn++) {
        sent(await ask());
      }
      assert.deepEqual([server.connections, server.requests.length], [1, 3]);
    });
  }

  it("over TLS, and through the tunnel of a proxy", async () => {
    const { authority, good } = makeCertificates();
    const { url } = await proxyOf();
    const trusting = { tls: { ca: authority.cert } };
    for (const [changed, identity] of [
      [trusting, good],
      [{ ...trusting, proxy: { url, noProxy: [] } }, good],
      [{ proxy: { url, noProxy: [] } }, undefined],
    ] as const) {
      const { server, ask } = await start(
        (socket) => inTurns(socket, [CONTINUE.slice(0, 11), `${CONTINUE.slice(11)}${WITH_FIELDS}${FINAL}`]),
        changed,
        identity,
      );
      sent(await ask());
      sent(await ask("again"));
      assert.equal(server.connections, 1);
    }
  });

  it("in a body: the body of the answer stays as it is", async () => {
    const said = `HTTP/1.1 100 Continue${"x".repeat(40)}`;
    const body = `${ACCEPTED}&statusMessage=${said}`.replace("statusMessage=OK&", "");
    const { ask } = await start((socket) => {
      const whole = answer(200, body);
      inTurns(socket, [whole.slice(0, -said.length), said]);
    });
    const verdict = await ask();
    sent(verdict);
    assert.ok(verdict.statusMessage.includes(said), verdict.statusMessage);
  });

  function forever(socket: Socket): void {
    if (!socket.destroyed) {
      socket.write(CONTINUE.repeat(100), () => forever(socket));
    }
  }

  for (const [what, write, name] of [
    ["without end", forever, "ANSWER_UNREADABLE"],
    ["and nothing after it", (socket: Socket) => socket.end(CONTINUE), "CONNECTION_LOST"],
  ] as const) {
    it(`${what}: unknown, once`, async () => {
      const { server, ask } = await start(write);
      assert.equal(brief(await ask()), `unknown ${name}`);
      assert.equal(server.requests.length, 1);
    });
  }
});
