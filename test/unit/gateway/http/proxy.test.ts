import assert from "node:assert/strict";
import { connect, createServer, type Server, type Socket } from "node:net";
import { directConnector, proxyConnector } from "../../../../lib/gateway/http/connector";
import { Dispatcher } from "../../../../lib/gateway/queue/dispatcher";
import { chooseProxy, type ProxyRoute } from "../../../../lib/gateway/http/proxy-choice";
import { GatewayClient } from "../../../../lib/gateway/client/gateway-client";
import type { GatewaySettings, ProxySettings } from "../../../../lib/gateway/contract/settings";
import { CancelSignal } from "../../../../lib/gateway/http/cancel-signal";
import { REAL_TIMING } from "../../../../lib/gateway/http/timing";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import { type Certificates, makeCertificates } from "../../../support/http/certificates";
import { FaultServer } from "../../../support/http/fault-server";
import { freePort } from "../../../support/http/free-port";
import { waitFor } from "../../../support/wait-for";
import { newGates, settingsFor, sms, whatsapp } from "../../../support/gateway/gateway-settings";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** An HTTP proxy: remembers the heads that it got, and lets a test answer. */
interface TestProxy {
  readonly url: string;
  readonly heads: string[];
  readonly sockets: Set<Socket>;
  close(): Promise<void>;
}

async function startProxy(reply: (head: string, socket: Socket) => void): Promise<TestProxy> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    let text = "";
    const onData = (chunk: Buffer): void => {
      text += chunk.toString("latin1");
      if (text.includes("\r\n\r\n")) {
        socket.off("data", onData);
        heads.push(text);
        reply(text, socket);
      }
    };
    socket.on("data", onData);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    heads,
    sockets,
    close: () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Opens the tunnel to 127.0.0.1, whatever host was asked for. */
function tunnel(head: string, socket: Socket, status = "200 Connection established"): void {
  const port = Number(/^CONNECT \S+:(\d+) /.exec(head)?.[1]);
  const onward = connect(port, "127.0.0.1", () => {
    socket.write(`HTTP/1.1 ${status}\r\n\r\n`);
    socket.pipe(onward).pipe(socket);
  });
  onward.on("error", () => socket.destroy());
  socket.on("close", () => onward.destroy());
}

describe("gateway proxy", () => {
  const closers: (() => Promise<unknown>)[] = [];
  const saved = { ...process.env };
  let certificates: Certificates;

  before(() => {
    certificates = makeCertificates();
  });

  beforeEach(() => {
    for (const name of ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]) {
      delete process.env[name];
      delete process.env[name.toUpperCase()];
    }
  });

  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) {
      await close();
    }
  });

  after(() => {
    for (const name of Object.keys(process.env)) {
      if (!(name in saved)) {
        delete process.env[name];
      }
    }
    Object.assign(process.env, saved);
  });

  async function serve(): Promise<FaultServer> {
    const server = await FaultServer.start({ tls: certificates.good });
    closers.push(() => server.close());
    return server;
  }

  async function proxyOf(reply: (head: string, socket: Socket) => void): Promise<TestProxy> {
    const proxy = await startProxy(reply);
    closers.push(() => proxy.close());
    return proxy;
  }

  const through = (url: string, more: Partial<ProxySettings> = {}): Partial<GatewaySettings> => ({
    proxy: { url, noProxy: [], ...more },
    tls: { ca: certificates.authority.cert },
  });

  function ask(address: string, changed: Partial<GatewaySettings>): Promise<Verdict> {
    const client = new GatewayClient(settingsFor(address, changed), REAL_TIMING);
    closers.push(() => client.destroy());
    const { operation, fields } = sms();
    return client.attempt(client.prepare(operation, fields), newGates());
  }

  describe("tunnel", () => {
    it("leads to the service, which proves itself inside it, and shows the proxy nothing else", async () => {
      const server = await serve();
      const proxy = await proxyOf(tunnel);
      const verdict = await ask(server.url, through(proxy.url));
      assert.equal(verdict.outcome, "sent", verdict.statusMessage);
      const host = `127.0.0.1:${server.port}`;
      assert.deepEqual(proxy.heads, [
        `CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\nConnection: close\r\n\r\n`,
      ]);
      assert.equal(server.requests[0]?.headers["proxy-authorization"], undefined);
    });

    it("names us to the proxy, by its settings or by its URL, and only to the proxy", async () => {
      const server = await serve();
      const proxy = await proxyOf(tunnel);
      const port = new URL(proxy.url).port;
      const named = through(proxy.url, { username: "px", password: "pröxy pass" });
      assert.equal((await ask(server.url, named)).outcome, "sent");
      assert.equal(
        (await ask(server.url, through(`http://px:pr%C3%B6xy%20pass@127.0.0.1:${port}`))).outcome,
        "sent",
      );
      for (const head of proxy.heads) {
        assert.ok(head.includes(`proxy-authorization: Basic ${base64("px:pröxy pass")}\r\n`), head);
        assert.doesNotMatch(head, /\r\nauthorization:/i);
      }
      assert.equal(proxy.heads.length, 2);
    });

    it("does not excuse a bad certificate of the service", async () => {
      const server = await serve();
      const proxy = await proxyOf(tunnel);
      const verdict = await ask(server.url, { ...through(proxy.url), tls: null });
      assert.equal(`${verdict.outcome} ${verdict.statusName}`, "retry-later TLS_FAILED");
      const material = await ask(server.url, { ...through(proxy.url), tls: { ca: "x", cert: "nonsense" } });
      assert.equal(`${material.outcome} ${material.statusName}`, "retry-later TLS_FAILED");
      assert.equal(server.heads.length, 0);
    });

    it("may be opened by any 2xx, leads to a service without TLS, and to an address in brackets", async () => {
      const server = await FaultServer.start();
      closers.push(() => server.close());
      const proxy = await proxyOf((head, socket) => tunnel(head, socket, "204 Fine"));
      assert.equal((await ask(server.url, through(proxy.url))).outcome, "sent");
      await ask(`http://[::1]:${server.port}`, through(proxy.url));
      assert.match(proxy.heads[1] ?? "", new RegExp(`^CONNECT \\[::1\\]:${server.port} HTTP`));
      await ask("https://example.invalid", through(proxy.url));
      assert.match(proxy.heads[2] ?? "", /^CONNECT example\.invalid:443 HTTP/);
    });

    const refusals: readonly [string, (head: string, socket: Socket) => void, string, RegExp][] = [
      ["407", (_head, socket) => socket.end("HTTP/1.1 407 Who\r\n\r\n"), "denied PROXY_DENIED", /407/],
      ["403", (_head, socket) => socket.end("HTTP/1.1 403 No\r\n\r\n"), "retry-later PROXY_FAILED", /403/],
      ["502", (_head, socket) => socket.end("HTTP/1.1 502 No\r\n\r\n"), "retry-later PROXY_FAILED", /502/],
      [
        "302",
        (_head, socket) => socket.end("HTTP/1.1 302 No\r\nlocation: http://x\r\n\r\n"),
        "retry-later PROXY_FAILED",
        /302/,
      ],
      ["closing", (_head, socket) => socket.end(), "retry-later PROXY_FAILED", /./],
      ["a reset", (_head, socket) => socket.resetAndDestroy(), "retry-later PROXY_FAILED", /./],
      ["garbage", (_head, socket) => socket.end("\0nonsense\r\n\r\n"), "retry-later PROXY_FAILED", /./],
      ["silence", () => {}, "retry-later PROXY_FAILED", /did not answer within 150 ms/],
      [
        "headers without end",
        (_head, socket) => socket.write(`HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(50_000)}`),
        "retry-later PROXY_FAILED",
        /./,
      ],
      [
        "a tunnel that is closed at once",
        (_head, socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"),
        "retry-later CONNECT_FAILED",
        /./,
      ],
      [
        "a tunnel that is reset at once",
        (_head, socket) => socket.write("HTTP/1.1 200 OK\r\n\r\n", () => socket.resetAndDestroy()),
        "retry-later CONNECT_FAILED",
        /./,
      ],
      [
        "a tunnel that leads nowhere",
        (_head, socket) => socket.write("HTTP/1.1 200 OK\r\n\r\n"),
        "retry-later CONNECT_TIMEOUT",
        /./,
      ],
    ];
    for (const [what, reply, expected, words] of refusals) {
      it(`${what}: nothing was sent`, async () => {
        const proxy = await proxyOf(reply);
        const verdict = await ask("https://example.invalid", { ...through(proxy.url), connectTimeout: 150 });
        assert.equal(`${verdict.outcome} ${verdict.statusName}`, expected, verdict.statusMessage);
        assert.match(verdict.statusMessage, words);
        await waitFor("the connection to close", () => proxy.sockets.size === 0);
      });
    }

    it("a proxy that is not there: nothing was sent", async () => {
      const port = await freePort();
      const verdict = await ask("https://example.invalid", through(`http://127.0.0.1:${port}`));
      assert.equal(verdict.statusName, "PROXY_FAILED");
      assert.match(verdict.statusMessage, /ECONNREFUSED/);
    });

    it("a proxy that refuses us on the way to the token service is the one at fault", async () => {
      const proxy = await proxyOf((_head, socket) => socket.end("HTTP/1.1 407 Who\r\n\r\n"));
      const dispatcher = new Dispatcher(settingsFor("https://example.invalid", through(proxy.url)));
      closers.push(() => dispatcher.close(0));
      const verdict = await dispatcher.openHandle().submit(whatsapp());
      assert.equal(`${verdict.outcome} ${verdict.statusName} ${verdict.attempts}`, "denied PROXY_DENIED 1");
    });

    it("opens nothing once closing", async () => {
      const closing = new CancelSignal();
      closing.stop();
      const proxy = await proxyOf(tunnel);
      const route = chooseProxy(new URL("https://a.example"), false, { url: proxy.url, noProxy: [] }, {});
      const target = { hostname: "127.0.0.1", port: new URL(proxy.url).port, protocol: "https:" };
      for (const connector of [
        directConnector({}, 1_000, closing),
        proxyConnector(route as ProxyRoute, {}, 1_000, closing),
      ]) {
        const error = await new Promise((resolve) => connector(target, (...[fault]) => resolve(fault)));
        assert.equal((error as { code?: string }).code, "CONNECT_FAILED");
      }
      assert.deepEqual([proxy.heads.length, proxy.sockets.size], [0, 0]);
    });

    it("a proxy's password comes back in no text, from the environment either", async () => {
      process.env.https_proxy = "http://px:pr%C3%B6xyp%40ss@127.0.0.1:1";
      const client = new GatewayClient(settingsFor("https://example.invalid"), REAL_TIMING);
      closers.push(() => client.destroy());
      for (const form of ["pröxyp@ss", "pr%C3%B6xyp%40ss", base64("px:pröxyp@ss")]) {
        assert.equal(client.redactor.clean(`a ${form} b`), "a ••• b");
      }
    });
  });

  describe("choice", () => {
    const TARGET = new URL("https://api.example.com");
    const pick = (
      env: Record<string, string>,
      target = TARGET,
      configured: ProxySettings | null = null,
      loopback = false,
    ): ProxyRoute | null => chooseProxy(target, loopback, configured, env);
    const host = (...args: Parameters<typeof pick>): string | null => pick(...args)?.url.host ?? null;

    it("takes the configured one before the environment's", () => {
      const configured = { url: "http://set:3128", noProxy: [] };
      assert.equal(host({ https_proxy: "http://env:1" }, TARGET, configured), "set:3128");
      assert.equal(host({ no_proxy: "*" }, TARGET, configured), "set:3128");
      assert.equal(host({ https_proxy: "http://env:1" }, TARGET, { ...configured, noProxy: ["*"] }), null);
    });

    it("reads the environment in either case, the one for the scheme first", () => {
      assert.equal(host({}), null);
      assert.equal(host({ https_proxy: "http://a:1" }), "a:1");
      assert.equal(host({ HTTPS_PROXY: "http://a:1" }), "a:1");
      assert.equal(host({ all_proxy: "http://a:1" }), "a:1");
      assert.equal(host({ ALL_PROXY: "http://a:1", HTTPS_PROXY: "http://b:1" }), "b:1");
      assert.equal(host({ http_proxy: "http://a:1" }), null);
      assert.equal(host({ http_proxy: "http://a:1" }, new URL("http://x.example")), "a:1");
      assert.equal(host({ https_proxy: "a:3128" }), "a:3128");
      assert.equal(host({ https_proxy: "" }), null);
    });

    it("never takes the environment's towards this computer itself, but a configured one", () => {
      const local = new URL("http://127.0.0.1:8080");
      assert.equal(host({ http_proxy: "http://a:1", all_proxy: "http://a:1" }, local, null, true), null);
      assert.equal(host({}, local, { url: "http://a:1", noProxy: [] }, true), "a:1");
    });

    const listed =
      "api.example.com,API.Example.Com, example.com ,.example.com,*.example.com,*,api.example.com:443";
    for (const entry of listed.split(",")) {
      it(`goes straight where no_proxy holds '${entry}'`, () => {
        assert.equal(host({ https_proxy: "http://a:1", no_proxy: `x.test,${entry}` }), null);
        assert.equal(host({ https_proxy: "http://a:1", NO_PROXY: `x.test ${entry}` }), null);
        assert.equal(host({}, TARGET, { url: "http://a:1", noProxy: ["x.test", entry] }), null);
      });
    }

    for (const entry of [
      "ample.com",
      "pi.example.com",
      "api.example.com:8443",
      "api.example.com.evil",
      "",
      ".",
      "*.",
    ]) {
      it(`takes the proxy where no_proxy holds only '${entry}'`, () =>
        assert.equal(host({ https_proxy: "http://a:1", no_proxy: entry }), "a:1"));
    }

    it("knows IPv6 addresses in a no-proxy list, with brackets and without", () => {
      const target = new URL("https://[2001:db8::1]:8443");
      for (const entry of ["2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:8443"]) {
        assert.equal(host({ https_proxy: "http://a:1", no_proxy: entry }, target), null, entry);
      }
      for (const entry of ["2001:db8::2", "[2001:db8::1]:443"]) {
        assert.equal(host({ https_proxy: "http://a:1", no_proxy: entry }, target), "a:1", entry);
      }
    });

    it("takes credentials out of the URL, even oddly written ones", () => {
      const route = pick({ https_proxy: "http://us%40er:p%3Aw@a:1" });
      assert.equal(route?.authorization, `Basic ${base64("us@er:p:w")}`);
      assert.equal(route?.url.href, "http://a:1/");
      assert.equal(
        pick({ https_proxy: "http://100%:50%@a:1" })?.authorization,
        `Basic ${base64("100%:50%")}`,
      );
      const configured = { url: "http://x:y@a:1", username: "user", password: "word", noProxy: [] };
      assert.equal(pick({}, TARGET, configured)?.authorization, `Basic ${base64("user:word")}`);
      assert.equal(pick({ https_proxy: "http://a:1" })?.authorization, null);
    });

    it("refuses an address that is none, without repeating it", () => {
      for (const url of ["socks5://user:secret@a:1", "ftp://a", "http://", "http://a b", "http://a:99999"]) {
        assert.throws(
          () => pick({ https_proxy: url }),
          (error: Error & { code?: string }) =>
            error.code === "BAD_PROXY" && !error.message.includes("secret"),
          url,
        );
      }
    });
  });
});
