import assert from "node:assert/strict";
import { Pool } from "undici";
import type { Dispatcher } from "undici";
import { directConnector } from "../../../../lib/gateway/http/connector";
import { type Exchange, exchange, type HttpRequest } from "../../../../lib/gateway/http/exchange";
import { CancelSignal, type CancelSignals } from "../../../../lib/gateway/http/cancel-signal";
import { ACCEPTED, answer, type FaultPlan, FaultServer } from "../../../support/http/fault-server";
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
  const closers: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) {
      await close();
    }
  });

  async function serve(plan: FaultPlan = {}): Promise<{ server: FaultServer; pool: Pool }> {
    const server = await FaultServer.start(plan);
    const connect = directConnector({}, 2_000, new CancelSignal());
    const pool = new Pool(server.url, { connections: 1, pipelining: 1, connect });
    closers.push(
      () => server.close(),
      () => pool.destroy(),
    );
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
    limits = LIMITS,
  ): Promise<Exchange> => exchange(pool, request(server.url), limits, signals);

  it("sends the request as given and gives the whole answer", async () => {
    const body = "a".repeat(1_000);
    const pair = await serve({
      onRequest: (_request, socket) => socket.write(answer(418, body, { "x-Odd": "1", "set-cookie": "a" })),
    });
    const { answer: got } = await run(pair);
    assert.deepEqual([got?.status, got?.body.toString(), got?.headers["x-odd"]], [418, body, "1"]);
    const [seen] = pair.server.requests;
    assert.deepEqual([seen?.method, seen?.target, seen?.body.toString()], ["POST", "/x?y=%FC", "hello"]);
    assert.deepEqual(seen?.headers, {
      host: `127.0.0.1:${pair.server.port}`,
      connection: "keep-alive",
      "content-type": "text/plain",
      authorization: "Basic abc",
      "content-length": "5",
    });
  });

  it("takes an answer as large as allowed, and not one byte more", async () => {
    let size = LIMITS.maxBody;
    const pair = await serve({
      onRequest: (_request, socket) => socket.write(answer(200, "a".repeat(size++))),
    });
    assert.equal((await run(pair)).answer?.body.length, LIMITS.maxBody);
    assert.equal((await run(pair)).fault, "ANSWER_UNREADABLE");
  });

  it("marks no request as one that may be repeated, not even a GET", () => {
    for (const method of ["GET", "POST"] as const) {
      let asked: Dispatcher.DispatchOptions | null = null;
      const client = puppet((_handler, options) => {
        asked = options;
      });
      const signals = newGates();
      void exchange(client, request("http://x", { method }), LIMITS, signals);
      signals.stopNew.stop();
      assert.equal((asked as Dispatcher.DispatchOptions | null)?.idempotent, false);
    }
  });

  it("stops a request that the HTTP client is about to send a second time", async () => {
    const controls = [newControl(), newControl()] as const;
    const client = puppet((handler) => {
      handler.onRequestStart(controls[0], {});
      handler.onRequestStart(controls[1], {});
      handler.onResponseStart(controls[1], 200, {}, "");
      handler.onResponseEnd(controls[1], {});
    });
    const result = await exchange(client, request("http://x"), LIMITS, newGates());
    assert.equal(result.fault, "CONNECTION_LOST");
    assert.deepEqual([controls[0].aborted, controls[1].aborted], [false, true]);
  });

  it("stops a request whose connection comes too late, before a byte is written", async () => {
    const control = newControl();
    let start = (): void => {};
    const client = puppet((handler) => {
      start = () => handler.onRequestStart(control, {});
    });
    const result = await exchange(client, request("http://x"), { ...LIMITS, readyTimeout: 5 }, newGates());
    assert.equal(result.fault, "CONNECT_TIMEOUT");
    start();
    assert.equal(control.aborted, true);
  });

  it("names an error by whether the request had started, whatever the error", async () => {
    for (const code of [
      "ECONNRESET",
      "ECONNREFUSED",
      "ENOTFOUND",
      "UND_ERR_SOCKET",
      "CERT_HAS_EXPIRED",
      "",
    ]) {
      const error = Object.assign(new Error("why"), code === "" ? {} : { code });
      const fails = (started: boolean): Dispatcher =>
        puppet((handler) => {
          if (started) {
            handler.onRequestStart(newControl(), {});
          }
          handler.onResponseError(newControl(), error);
        });
      const after = await exchange(fails(true), request("http://x"), LIMITS, newGates());
      assert.deepEqual(after, { fault: "CONNECTION_LOST", detail: code || "why" });
      const before = await exchange(fails(false), request("http://x"), LIMITS, newGates());
      const names: Record<string, string> = {
        ENOTFOUND: "NAME_LOOKUP_FAILED",
        CERT_HAS_EXPIRED: "TLS_FAILED",
      };
      assert.deepEqual(before, { fault: names[code] ?? "CONNECT_FAILED", detail: code || "why" });
    }
  });

  it("names each fault of a connection by its code", async () => {
    const names = {
      ENOTFOUND: "NAME_LOOKUP_FAILED",
      EAI_AGAIN: "NAME_LOOKUP_FAILED",
      ETIMEDOUT: "CONNECT_TIMEOUT",
      UND_ERR_CONNECT_TIMEOUT: "CONNECT_TIMEOUT",
      PROXY_FAILED: "PROXY_FAILED",
      PROXY_DENIED: "PROXY_DENIED",
      DEPTH_ZERO_SELF_SIGNED_CERT: "TLS_FAILED",
      SELF_SIGNED_CERT_IN_CHAIN: "TLS_FAILED",
      UNABLE_TO_VERIFY_LEAF_SIGNATURE: "TLS_FAILED",
      ERR_SSL_WRONG_VERSION_NUMBER: "TLS_FAILED",
      ERR_TLS_CERT_ALTNAME_INVALID: "TLS_FAILED",
      ERR_OSSL_PEM_NO_START_LINE: "TLS_FAILED",
      EPROTO: "TLS_FAILED",
      ECONNREFUSED: "CONNECT_FAILED",
      EHOSTUNREACH: "CONNECT_FAILED",
      ENETUNREACH: "CONNECT_FAILED",
      EMFILE: "CONNECT_FAILED",
    };
    for (const [code, fault] of Object.entries(names)) {
      const client = puppet((handler) =>
        handler.onResponseError(newControl(), Object.assign(new Error("words"), { code })),
      );
      const result = await exchange(client, request("http://x"), LIMITS, newGates());
      assert.equal(result.fault, fault, code);
    }
  });

  it("asks for nothing when stopped before", async () => {
    for (const signal of ["stopNew", "abort"] as const) {
      const pair = await serve();
      const signals = newGates();
      signals[signal].stop();
      assert.equal((await run(pair, signals)).fault, "CLOSING");
      await breathe();
      assert.equal(pair.server.connections, 0);
    }
  });

  it("is not sent when stopped while it waits for a connection", async () => {
    for (const signal of ["stopNew", "abort"] as const) {
      const pair = await serve();
      const signals = newGates();
      const running = run(pair, signals);
      signals[signal].stop();
      assert.equal((await running).fault, "CLOSING");
      await waitFor("the connection", () => pair.server.connections === 1);
      // What comes later on the same connection shows that nothing came before.
      assert.equal((await run(pair)).answer?.body.toString(), ACCEPTED);
      assert.equal(pair.server.heads.length, 1);
    }
  });

  it("goes on when stopped after it left, and is unknown when aborted", async () => {
    const held: (() => void)[] = [];
    const pair = await serve({
      onRequest: (_request, socket) => held.push(() => pair.server.answered(socket)),
    });
    const signals = newGates();
    const first = run(pair, signals);
    await waitFor("the request", () => held.length === 1);
    signals.stopNew.stop();
    held[0]?.();
    assert.equal((await first).answer?.status, 200);

    const others = newGates();
    const second = run(pair, others);
    await waitFor("the second request", () => held.length === 2);
    others.abort.stop();
    assert.equal((await second).fault, "STOPPED_WAITING");
    assert.equal(pair.server.requests.length, 2);
  });

  it("leaves no listener on its signals", async () => {
    const pair = await serve();
    const signals = newGates();
    await run(pair, signals);
    let calls = 0;
    const count = (signal: CancelSignal): void => {
      const onStop = signal.onStop.bind(signal);
      signal.onStop = (listener) => {
        calls++;
        const release = onStop(listener);
        return () => {
          calls--;
          release();
        };
      };
    };
    count(signals.stopNew);
    count(signals.abort);
    await run(pair, signals);
    assert.equal(calls, 0);
  });
});
