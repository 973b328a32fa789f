import assert from "node:assert/strict";
import { chooseProxy, type ProxyRoute } from "../../../../lib/gateway/http/proxy-choice";
import type { GatewaySettings, ProxySettings } from "../../../../lib/gateway/contract/settings";
import { whatsapp } from "../../../support/gateway/gateway-settings";
import { brief, useGateway } from "../../../support/gateway/use-gateway";
import { type Certificates, makeCertificates } from "../../../support/http/certificates";
import type { ProxyReply } from "../../../support/http/test-proxy";
import { waitFor } from "../../../support/wait-for";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("gateway proxy", () => {
  const { serve, proxyOf, clientOf, ask, dispatch } = useGateway();
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

  after(() => {
    for (const name of Object.keys(process.env)) {
      if (!(name in saved)) {
        delete process.env[name];
      }
    }
    Object.assign(process.env, saved);
  });

  const serveTls = () => serve(null, { tls: certificates.good });

  const through = (url: string, more: Partial<ProxySettings> = {}): Partial<GatewaySettings> => ({
    proxy: { url, noProxy: [], ...more },
    tls: { ca: certificates.authority.cert },
  });

  describe("tunnel", () => {
    it("connects to the service with TLS inside, and shows the proxy nothing else", async () => {
      const server = await serveTls();
      const proxy = await proxyOf();
      assert.equal(brief(await ask(server.url, through(proxy.url))), "sent OK");
      const host = `127.0.0.1:${server.port}`;
      assert.deepEqual(proxy.heads, [
        `CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\nConnection: close\r\n\r\n`,
      ]);
      assert.equal(server.requests[0]?.headers["proxy-authorization"], undefined);
    });

    it("sends the proxy's credentials only to the proxy", async () => {
      const server = await serveTls();
      const proxy = await proxyOf();
      const inUrl = proxy.url.replace("//", "//px:pr%C3%B6xy%20pass@");
      for (const named of [through(proxy.url, { username: "px", password: "pröxy pass" }), through(inUrl)]) {
        assert.equal((await ask(server.url, named)).outcome, "sent");
        const head = proxy.heads.at(-1) ?? "";
        assert.ok(head.includes(`proxy-authorization: Basic ${base64("px:pröxy pass")}\r\n`), head);
        assert.doesNotMatch(head, /\r\nauthorization:/i);
      }
      assert.equal(proxy.heads.length, 2);
    });

    it("refuses a bad certificate of the service behind a proxy", async () => {
      const server = await serveTls();
      const proxy = await proxyOf();
      for (const tls of [null, { ca: "x", cert: "nonsense" }]) {
        const verdict = await ask(server.url, { ...through(proxy.url), tls });
        assert.equal(brief(verdict), "retry-later TLS_FAILED");
      }
      assert.equal(server.heads.length, 0);
    });

    const says =
      (head: string): ProxyReply =>
      (_head, socket) =>
        socket.end(`${head}\r\n\r\n`);
    const refusals: readonly [what: string, reply: ProxyReply, ends: string, words?: RegExp][] = [
      ["407", says("HTTP/1.1 407 Who"), "denied PROXY_DENIED", /407/],
      ["502", says("HTTP/1.1 502 No"), "retry-later PROXY_FAILED", /502/],
      ["302", says("HTTP/1.1 302 No\r\nlocation: http://x"), "retry-later PROXY_FAILED", /302/],
      ["closing", (_head, socket) => socket.end(), "retry-later PROXY_FAILED"],
      ["garbage", says("\0nonsense"), "retry-later PROXY_FAILED"],
      ["silence", () => {}, "retry-later PROXY_FAILED", /did not respond within 150 ms/],
      ["a tunnel that is closed at once", says("HTTP/1.1 200 OK"), "retry-later CONNECT_FAILED"],
      [
        "a tunnel that leads nowhere",
        (_head, socket) => socket.write("HTTP/1.1 200 OK\r\n\r\n"),
        "retry-later CONNECT_TIMEOUT",
      ],
    ];
    for (const [what, reply, ends, words = /./] of refusals) {
      it(`${what}: nothing was sent`, async () => {
        const proxy = await proxyOf(reply);
        // Only who never answers is not waited for long.
        const isSilent = what === "silence" || what === "a tunnel that leads nowhere";
        const connectTimeout = isSilent ? 150 : 20_000;
        const verdict = await ask("https://example.invalid", { ...through(proxy.url), connectTimeout });
        assert.equal(brief(verdict), ends, verdict.statusMessage);
        assert.match(verdict.statusMessage, words);
        await waitFor("the connection to close", () => proxy.sockets.size === 0);
      });
    }

    it("reports the proxy when it refuses the way to the token service", async () => {
      const proxy = await proxyOf(says("HTTP/1.1 407 Who"));
      const verdict = await dispatch("https://example.invalid", through(proxy.url)).queue.submit(whatsapp());
      assert.deepEqual([brief(verdict), verdict.attempts], ["denied PROXY_DENIED", 1]);
    });

    it("shows no password of a proxy, also from the environment", async () => {
      process.env.https_proxy = "http://px:pr%C3%B6xyp%40ss@127.0.0.1:1";
      const { redactor } = clientOf("https://example.invalid");
      for (const form of ["pröxyp@ss", "pr%C3%B6xyp%40ss", base64("px:pröxyp@ss")]) {
        assert.equal(redactor.clean(`a ${form} b`), "a ••• b");
      }
    });
  });

  describe("choice", () => {
    const TARGET = new URL("https://api.example.com");
    const pick = (
      environment: Record<string, string>,
      target = TARGET,
      configured: ProxySettings | null = null,
      loopback = false,
    ): ProxyRoute | null => chooseProxy(target, loopback, configured, environment);
    const host = (...args: Parameters<typeof pick>): string | null => pick(...args)?.url.host ?? null;

    const SET = { url: "http://set:3128", noProxy: [] };
    const ANY = { url: "http://a:1", noProxy: [] };
    const env = { https_proxy: "http://env:1" };

    it("prefers the configured proxy to that of the environment", () => {
      assert.equal(host(env, TARGET, SET), "set:3128");
      assert.equal(host({ no_proxy: "*" }, TARGET, SET), "set:3128");
      assert.equal(host(env, TARGET, { ...SET, noProxy: ["*"] }), null);
    });

    for (const [given, expected, target] of [
      [{}, null],
      [{ https_proxy: "http://a:1" }, "a:1"],
      [{ HTTPS_PROXY: "http://a:1" }, "a:1"],
      [{ all_proxy: "http://a:1" }, "a:1"],
      [{ ALL_PROXY: "http://a:1", HTTPS_PROXY: "http://b:1" }, "b:1"],
      [{ http_proxy: "http://a:1" }, null],
      [{ http_proxy: "http://a:1" }, "a:1", "http://x.example"],
      [{ https_proxy: "a:3128" }, "a:3128"],
      [{ https_proxy: "" }, null],
    ] as readonly [Record<string, string>, string | null, string?][]) {
      it(`takes ${expected ?? "none"} of ${JSON.stringify(given)}${target ? ` for ${target}` : ""}`, () =>
        assert.equal(host(given, new URL(target ?? TARGET)), expected));
    }

    it("ignores the environment for loopback, but not a configured proxy", () => {
      const local = new URL("http://127.0.0.1:8080");
      assert.equal(host({ http_proxy: "http://a:1", all_proxy: "http://a:1" }, local, null, true), null);
      assert.equal(host({}, local, ANY, true), "a:1");
    });

    const listed =
      "api.example.com,API.Example.Com, example.com ,.example.com,*.example.com,*,api.example.com:443";
    it("connects directly only to hosts of the no-proxy list", () => {
      for (const entry of listed.split(",")) {
        assert.equal(host({ ...env, no_proxy: `x.test,${entry}` }), null, entry);
        assert.equal(host({}, TARGET, { ...ANY, noProxy: ["x.test", entry] }), null, entry);
      }
      for (const entry of "ample.com,pi.example.com,api.example.com:8443,api.example.com.evil,,.,*.".split(
        ",",
      )) {
        assert.equal(host({ ...env, no_proxy: entry }), "env:1", entry);
      }
    });

    it("refuses a line break in the password of a proxy", () => {
      const proxy = { ...ANY, username: "anna", password: "secret\n" };
      assert.throws(() => host({}, TARGET, proxy), { code: "BAD_PROXY", message: /line break/ });
    });

    it("refuses an invalid proxy address without repeating it", () => {
      for (const url of ["socks5://user:secret@a:1", "ftp://a", "http://", "http://a b", "http://a:99999"]) {
        assert.throws(
          () => pick({ https_proxy: url }),
          ({ code, message }: Error & { code?: string }) =>
            code === "BAD_PROXY" && !message.includes("secret"),
        );
      }
    });
  });
});
