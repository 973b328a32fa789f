import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { type Dispatcher, Pool } from "undici";
import { connectorFor } from "../../../../lib/gateway/http/connector";
import {
  startExchange,
  type Exchange,
  exchange,
  type HttpRequest,
} from "../../../../lib/gateway/http/exchange";
import { CancelSignal, type CancelSignals } from "../../../../lib/gateway/http/cancel-signal";
import { type Reply, useGateway } from "../../../support/gateway/use-gateway";
import { ACCEPTED, answer, type FaultServer } from "../../../support/http/fault-server";
import { breathe } from "../../../support/virtual-timing";
import { waitFor } from "../../../support/wait-for";
import { newGates } from "../../../support/gateway/gateway-settings";

const LIMITS = { answerTimeout: 5_000, readyTimeout: 5_000, maxBody: 1_000 };

type Handler = Parameters<Dispatcher["dispatch"]>[1];

/** A control of one request as undici hands it out; remembers whether it was aborted. */
function newControl(): Dispatcher.DispatchController & { aborted: boolean } {
  const control = {
    aborted: false,
    abort: () => {
      control.aborted = true;
    },
  };
  return control as never;
}

/** An HTTP client that does with its handler whatever a test wants. */
function puppet(play: (handler: Required<Handler>, options: Dispatcher.DispatchOptions) => void): Dispatcher {
  return {
    dispatch: (options: Dispatcher.DispatchOptions, handler: Handler) => {
      play(handler as Required<Handler>, options);
      return true;
    },
  } as never;
}

describe("gateway exchange", () => {
  const { serve } = useGateway();
  const pools: Pool[] = [];

  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.destroy())));

  async function pair(reply?: Reply): Promise<{ server: FaultServer; pool: Pool }> {
    const server = await serve(reply);
    const connect = connectorFor(null, {}, 2_000, new CancelSignal());
    const pool = new Pool(server.url, { connections: 1, pipelining: 1, connect });
    pools.push(pool);
    return { server, pool };
  }

  const request = (origin: string, changed: Partial<HttpRequest> = {}): HttpRequest => ({
    origin,
    method: "POST",
    path: "/x?y=%FC",
    headers: { "content-type": "text/plain", authorization: "Basic abc" },
    body: "hello",
    ...changed,
  });

  const run = (
    { server, pool }: { server: FaultServer; pool: Pool },
    signals: CancelSignals = newGates(),
  ): Promise<Exchange> => exchange(pool, request(server.url), LIMITS, signals);

  /** What becomes of a request by an HTTP client that a test plays. */
  const played = (play: Parameters<typeof puppet>[0], limits = LIMITS): Promise<Exchange> =>
    exchange(puppet(play), request("http://x"), limits, newGates());

  const failing = (code: string): Error => Object.assign(new Error("why"), code === "" ? {} : { code });

  it("sends the request as given and returns the whole response", async () => {
    const body = "a".repeat(1_000);
    const { server, pool } = await pair(answer(418, body, { "x-Odd": "1", "set-cookie": "a" }));
    const { response: got } = await run({ server, pool });
    assert.deepEqual([got?.status, got?.body.toString(), got?.headers["x-odd"]], [418, body, "1"]);
    const [seen] = server.requests;
    assert.deepEqual([seen?.method, seen?.target, seen?.body.toString()], ["POST", "/x?y=%FC", "hello"]);
    assert.deepEqual(seen?.headers, {
      host: `127.0.0.1:${server.port}`,
      connection: "keep-alive",
      "content-type": "text/plain",
      authorization: "Basic abc",
      "content-length": "5",
    });
  });

  it("accepts a response of the maximum size, and not one byte more", async () => {
    let size = LIMITS.maxBody;
    const both = await pair((socket) => socket.write(answer(200, "a".repeat(size++))));
    assert.equal((await run(both)).response?.body.length, LIMITS.maxBody);
    assert.equal((await run(both)).fault, "ANSWER_UNREADABLE");
  });

  it("stops a request that the HTTP client is about to send a second time", async () => {
    const controls = [newControl(), newControl()] as const;
    const result = await played((handler) => {
      handler.onRequestStart(controls[0], {});
      handler.onRequestStart(controls[1], {});
      handler.onResponseStart(controls[1], 200, {}, "");
      handler.onResponseEnd(controls[1], {});
    });
    assert.equal(result.fault, "CONNECTION_LOST");
    assert.deepEqual([controls[0].aborted, controls[1].aborted], [false, true]);
  });

  it("stops a request before its first byte when its connection is too late", async () => {
    const control = newControl();
    let start = (): void => {};
    const late = (handler: Required<Handler>): void => {
      start = () => handler.onRequestStart(control, {});
    };
    const result = await played(late, { ...LIMITS, readyTimeout: 5 });
    assert.equal(result.fault, "CONNECT_TIMEOUT");
    start();
    assert.equal(control.aborted, true);
  });

  it("stops a request whose process lost its lease while it waited for a connection", () => {
    const control = newControl();
    const results: Exchange[] = [];
    const waiter = { exchanged: (result: Exchange) => void results.push(result), holdsLease: () => false };
    const ready = puppet((handler) => handler.onRequestStart(control, {}));
    startExchange(ready, request("http://x"), LIMITS, newGates(), {}, waiter);
    assert.deepEqual([control.aborted, results], [true, [{ fault: "CLOSING", detail: "" }]]);
  });

  const faults = {
    NAME_LOOKUP_FAILED: ["ENOTFOUND", "EAI_AGAIN"],
    CONNECT_TIMEOUT: ["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"],
    PROXY_FAILED: ["PROXY_FAILED"],
    PROXY_DENIED: ["PROXY_DENIED"],
    TLS_FAILED: ["CERT_HAS_EXPIRED", "SELF_SIGNED_CERT_IN_CHAIN", "ERR_TLS_CERT_ALTNAME_INVALID", "EPROTO"],
    CONNECT_FAILED: ["ECONNREFUSED", "ECONNRESET", "EHOSTUNREACH", "UND_ERR_SOCKET", ""],
  };
  for (const [fault, codes] of Object.entries(faults)) {
    for (const code of codes) {
      it(`names the error '${code}' of a connection ${fault}`, async () => {
        const result = await played((handler) => handler.onResponseError(newControl(), failing(code)));
        // What a proxy did says more than our own code for it.
        const detail = code === "" || code.startsWith("PROXY_") ? "why" : code;
        assert.deepEqual(result, { fault, detail });
      });
    }
  }

  for (const signal of ["stopNew", "abort"] as const) {
    it(`asks for nothing when stopped before (${signal})`, async () => {
      const both = await pair();
      const signals = newGates();
      signals[signal].stop();
      assert.equal((await run(both, signals)).fault, "CLOSING");
      await breathe();
      assert.equal(both.server.connections, 0);
    });

    it(`is not sent when stopped while it waits for a connection (${signal})`, async () => {
      const both = await pair();
      const signals = newGates();
      const running = run(both, signals);
      signals[signal].stop();
      assert.equal((await running).fault, "CLOSING");
      await waitFor("the connection", () => both.server.connections === 1);
      // What comes later on the same connection shows that nothing came before.
      assert.equal((await run(both)).response?.body.toString(), ACCEPTED);
      assert.equal(both.server.heads.length, 1);
    });
  }

  it("continues a sent request when stopped, and ends it as unknown when aborted", async () => {
    const held: Socket[] = [];
    const both = await pair((socket) => held.push(socket));
    const signals = newGates();
    const first = run(both, signals);
    await waitFor("the request", () => held.length === 1);
    signals.stopNew.stop();
    both.server.answered(held[0] as Socket);
    assert.equal((await first).response?.status, 200);

    const others = newGates();
    const second = run(both, others);
    await waitFor("the second request", () => held.length === 2);
    others.abort.stop();
    assert.equal((await second).fault, "STOPPED_WAITING");
    assert.equal(both.server.requests.length, 2);
  });
});
