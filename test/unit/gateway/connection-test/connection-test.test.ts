import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { testConnection } from "../../../../lib/gateway/connection-test/connection-test";
import type { CheckResult } from "../../../../lib/gateway/connection-test/check-result";
import type { GatewaySettings } from "../../../../lib/gateway/contract/settings";
import { CancelSignal } from "../../../../lib/gateway/http/cancel-signal";
import { type Certificates, makeCertificates } from "../../../support/http/certificates";
import {
  ACCEPTED,
  answer,
  type FaultPlan,
  FaultServer,
  type SeenRequest,
} from "../../../support/http/fault-server";
import { freePort } from "../../../support/http/free-port";
import { CLIENT_SECRET, PASSWORD, settingsFor } from "../../../support/gateway/gateway-settings";

const REFUSED = "statusCode=4019&statusMessage=PARAMETER_MISSING+recipientAddressList&smsCount=0";
const TOKEN = JSON.stringify({ access_token: "t0ken-of-the-test", token_type: "bearer", expires_in: 300 });

const texts: Record<string, Record<string, string>> = JSON.parse(
  readFileSync("nodes/config/locales/en-US/messaging-account.json", "utf8"),
)["messaging-account"].connection;

/** Check, state and code of each line. */
const short = (lines: readonly CheckResult[]): string[] =>
  lines.map(({ check, state, code }) => `${check} ${state} ${code}`);

describe("connection test", () => {
  const closers: (() => Promise<unknown>)[] = [];
  let certificates: Certificates;

  before(() => {
    certificates = makeCertificates();
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) {
      await close();
    }
  });

  async function serve(plan: FaultPlan = {}): Promise<FaultServer> {
    const server = await FaultServer.start(plan);
    closers.push(() => server.close());
    return server;
  }

  /** A service that answers sign-in and token requests as it is told, well without a word. */
  const service = (
    signIn = answer(200, REFUSED),
    token: (body: string) => string = () => answer(200, TOKEN),
  ) =>
    serve({
      onRequest: ({ target, body }, socket) =>
        void socket.write(target === "/oauth/token" ? token(body.toString()) : signIn),
    });

  async function run(
    address: string,
    changed: Partial<GatewaySettings> = {},
  ): Promise<readonly CheckResult[]> {
    const lines = await testConnection(settingsFor(address, changed), new CancelSignal());
    for (const { check, code } of lines) {
      assert.ok(texts[check]?.[code], `a text for ${check}.${code}`);
    }
    const all = JSON.stringify(lines);
    for (const secret of [PASSWORD, CLIENT_SECRET, "t0ken-of-the-test"]) {
      assert.equal(all.includes(secret), false);
    }
    return lines;
  }

  it("finds everything in order, and asks for nothing that could be sent", async () => {
    const server = await service();
    assert.deepEqual(short(await run(server.url)), [
      "connect ok OK",
      "tls skipped PLAIN",
      "sign-in ok OK",
      "token ok OK",
      "scope ok OK",
      "scope ok OK",
      "scope ok OK",
      "scope ok OK",
    ]);
    const sends = server.requests.filter(({ target }) => target !== "/oauth/token");
    assert.deepEqual(
      sends.map(({ method, target, body }) => [method, target, body.toString()]),
      [["POST", "/rest/smsmessaging/simple", "test=true"]],
    );
    const scopes = server.requests.flatMap(({ body }) =>
      new URLSearchParams(body.toString()).getAll("scope"),
    );
    assert.deepEqual(scopes, ["messaging:whatsapp", "messaging:rcs", "media:create", "media:read"]);
  });

  it("tells of a service name that it was found", async () => {
    const server = await service();
    const lines = await run(server.url.replace("127.0.0.1", "localhost"));
    assert.equal(short(lines)[0], "name ok OK");
  });

  const signIns: readonly [answered: string, expected: string][] = [
    [answer(401, "statusCode=4001&statusMessage=x"), "failed INVALID_CREDENTIALS"],
    [answer(200, "statusCode=4001&statusMessage=x"), "failed INVALID_CREDENTIALS"],
    [answer(401, ""), "failed INVALID_CREDENTIALS"],
    [answer(200, "statusCode=4014"), "failed UNAUTHORIZED_IP"],
    [answer(200, "statusCode=4021"), "failed INVALID_ACCOUNT"],
    [answer(200, "statusCode=4022"), "failed ACCESS_DENIED"],
    [answer(403, ""), "failed ACCESS_DENIED"],
    [answer(200, "statusCode=4013"), "warning LIMIT_REACHED"],
    [answer(200, "statusCode=4023"), "warning THROTTLED"],
    [answer(429, ""), "warning THROTTLED"],
    [answer(200, "statusCode=4035"), "warning CHANNEL_DISABLED"],
    [answer(200, "statusCode=4002"), "ok OK"],
    [answer(200, "statusCode=4009"), "ok OK"],
    [answer(200, "statusCode=4777"), "warning UNCLEAR"],
    [answer(200, "statusCode=5000"), "failed SERVICE_FAILS"],
    [answer(200, "statusCode=5003"), "failed SERVICE_FAILS"],
    [answer(502, "<html>"), "failed SERVICE_FAILS"],
    [answer(404, "<html>"), "failed NO_ENDPOINT"],
    [answer(302, "", { location: "https://elsewhere.example" }), "failed REDIRECTED"],
    [answer(200, "<html>hello</html>"), "failed OTHER_SERVICE"],
    [answer(400, "what?"), "failed OTHER_SERVICE"],
    [answer(200, ACCEPTED), "ok ACCEPTED_EMPTY"],
    [answer(200, `${REFUSED}&transferId=77`), "failed OTHER_SERVICE"],
    ["no HTTP at all\r\n\r\n", "failed OTHER_SERVICE"],
  ];
  for (const [answered, expected] of signIns) {
    it(`calls the sign-in ${expected} after ${JSON.stringify(answered.replace(/\r\n(content-length.*\r\n)?/g, " "))}`, async () => {
      const server = await service(answered);
      const lines = await run(server.url, { oauth: null });
      assert.equal(short(lines)[2], `sign-in ${expected}`);
      assert.equal(short(lines)[3], "token skipped NONE");
      assert.equal(server.requests.length, 1);
    });
  }

  it("says when the service is silent, or hangs up", async () => {
    const silent = await serve({ onRequest: () => {} });
    assert.equal(
      short(await run(silent.url, { oauth: null, answerTimeout: 100 }))[2],
      "sign-in failed NO_ANSWER",
    );
    const rude = await serve({ onRequest: (_request, socket) => void socket.destroy() });
    assert.equal(short(await run(rude.url, { oauth: null }))[2], "sign-in failed CONNECTION_LOST");
  });

  const tokens: readonly [title: string, token: (body: string) => string, expected: readonly string[]][] = [
    [
      "a refused client, asked for once only",
      () => answer(401, '{"error":"invalid_client"}'),
      ["token failed CLIENT_REFUSED"],
    ],
    ["a bare 401", () => answer(401, ""), ["token failed CLIENT_REFUSED"]],
    [
      "one refused scope",
      (body) => (body.includes("rcs") ? answer(400, '{"error":"invalid_scope"}') : answer(200, TOKEN)),
      ["token ok OK", "scope ok OK", "scope warning SCOPE_REFUSED", "scope ok OK", "scope ok OK"],
    ],
    [
      "a refused client whose refusal describes a scope",
      () => answer(400, '{"error_description":"invalid_scope is not the reason"}'),
      ["token failed CLIENT_REFUSED"],
    ],
    ["no token service", () => answer(404, "<html>"), ["token failed NO_ENDPOINT"]],
    ["a token service that fails", () => answer(503, ""), ["token failed TOKEN_UNAVAILABLE"]],
    ["an answer that holds no token", () => answer(200, "<html>"), ["token failed TOKEN_UNAVAILABLE"]],
  ];
  for (const [title, token, expected] of tokens) {
    it(`tells of ${title}`, async () => {
      const server = await service(undefined, token);
      assert.deepEqual(short(await run(server.url, { legacy: null })).slice(2), [
        "sign-in skipped NONE",
        ...expected,
      ]);
      assert.equal(server.requests.length, expected.length === 1 ? 1 : 4);
    });
  }

  it("looks at a token service of its own, and leaves it alone where there is no client", async () => {
    const server = await service();
    const tokenAddress = `http://127.0.0.1:${await freePort()}`;
    assert.deepEqual(short(await run(server.url, { tokenAddress })), [
      "connect ok OK",
      "tls skipped PLAIN",
      "sign-in ok OK",
      "connect failed CONNECT_FAILED",
      "token skipped NOT_REACHED",
    ]);
    assert.equal(short(await run(server.url, { tokenAddress, oauth: null })).length, 4);
  });

  it("tells of a closed port, and tries nothing further", async () => {
    const lines = await run(`http://127.0.0.1:${await freePort()}`);
    assert.deepEqual(short(lines), [
      "connect failed CONNECT_FAILED",
      "sign-in skipped NOT_REACHED",
      "token skipped NOT_REACHED",
    ]);
    assert.equal(lines[0]?.detail, "ECONNREFUSED");
  });

  it("reports a name that cannot be resolved", async function () {
    this.timeout(30_000);
    assert.equal(short(await run("https://no-such-host.invalid"))[0], "name failed NAME_LOOKUP_FAILED");
  });

  const encryption: readonly [
    title: string,
    plan: () => FaultPlan,
    changed: () => Partial<GatewaySettings>,
    expected: string,
  ][] = [
    [
      "an expired certificate",
      () => ({ tls: certificates.expired }),
      () => ({ tls: { ca: certificates.authority.cert } }),
      "failed CERT_EXPIRED",
    ],
    [
      "a certificate of another host",
      () => ({ tls: certificates.otherHost }),
      () => ({ tls: { ca: certificates.authority.cert } }),
      "failed CERT_OTHER_HOST",
    ],
    [
      "a self-signed certificate",
      () => ({ tls: certificates.authority }),
      () => ({}),
      "failed CERT_UNKNOWN_AUTHORITY",
    ],
    ["an unknown authority", () => ({ tls: certificates.good }), () => ({}), "failed CERT_UNKNOWN_AUTHORITY"],
    [
      "an authority of one's own",
      () => ({ tls: certificates.good }),
      () => ({ tls: { ca: certificates.authority.cert } }),
      "ok OK",
    ],
    [
      "a check that is switched off",
      () => ({ tls: certificates.good }),
      () => ({ tls: { rejectUnauthorized: false } }),
      "warning UNVERIFIED",
    ],
    [
      "TLS files that are none",
      () => ({ tls: certificates.good }),
      () => ({ tls: { ca: "nonsense", cert: "nonsense" } }),
      "failed BAD_MATERIAL",
    ],
    [
      "a server that speaks no TLS",
      () => ({
        onConnection: (socket) => {
          socket.once("data", () => socket.end(answer(400, "")));
          return true;
        },
      }),
      () => ({}),
      "failed NO_TLS",
    ],
  ];
  for (const [title, plan, changed, expected] of encryption) {
    it(`tells of ${title}`, async () => {
      const server = await serve(plan());
      const address = server.url.replace(/^http:/, "https:");
      const lines = await run(address, { oauth: null, ...changed() });
      assert.deepEqual(short(lines).slice(0, 2), ["connect ok OK", `tls ${expected}`]);
      if (expected.startsWith("failed")) {
        assert.equal(short(lines)[2], "sign-in skipped NOT_REACHED");
        assert.equal(server.heads.length, 0);
      }
    });
  }

  it("tells of settings that cannot work", async () => {
    assert.deepEqual(short(await run("http://api.example.com")), ["settings failed INSECURE_ADDRESS"]);
    assert.deepEqual(short(await run("")), ["settings failed BAD_ADDRESS"]);
    const legacy = { kind: "token-header", accessToken: "a b" } as const;
    assert.deepEqual(short(await run("https://api.example.com", { legacy })), [
      "settings failed BAD_CREDENTIALS",
    ]);
  });

  describe("through a proxy", () => {
    /** Answers CONNECT with a status; with 200 it opens the tunnel to 127.0.0.1. */
    async function proxy(status: number): Promise<string> {
      const sockets = new Set<Socket>();
      const server: Server = createServer((socket) => {
        sockets.add(socket);
        socket.on("error", () => {});
        socket.once("data", (head) => {
          const port = Number(/:(\d+) /.exec(head.toString())?.[1]);
          if (status !== 200) {
            socket.end(`HTTP/1.1 ${status} Words\r\n\r\n`);
            return;
          }
          const onward = connect(port, "127.0.0.1", () => {
            socket.write("HTTP/1.1 200 OK\r\n\r\n");
            socket.pipe(onward).pipe(socket);
          });
          onward.on("error", () => socket.destroy());
          sockets.add(onward);
        });
      });
      await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
      closers.push(() => {
        for (const socket of sockets) socket.destroy();
        return new Promise((resolve) => server.close(resolve));
      });
      return `http://me:pr0xy-pass@127.0.0.1:${(server.address() as { port: number }).port}`;
    }

    for (const [status, expected] of [
      [200, ["proxy ok OK", "tls skipped PLAIN", "sign-in ok OK"]],
      [407, ["proxy failed PROXY_DENIED", "sign-in skipped NOT_REACHED", "token skipped NOT_REACHED"]],
      [502, ["proxy failed PROXY_FAILED", "sign-in skipped NOT_REACHED", "token skipped NOT_REACHED"]],
    ] as const) {
      it(`that answers ${status}`, async () => {
        const server = await service();
        const url = await proxy(status);
        const lines = await run(server.url, { proxy: { url, noProxy: [] } });
        assert.deepEqual(short(lines).slice(0, 3), expected);
        assert.equal(JSON.stringify(lines).includes("pr0xy-pass"), false);
      });
    }

    it("that is not there", async () => {
      const server = await service();
      const url = `http://127.0.0.1:${await freePort()}`;
      assert.equal(
        short(await run(server.url, { proxy: { url, noProxy: [] } }))[0],
        "proxy failed PROXY_FAILED",
      );
    });
  });

  it("ends when it is stopped, with no request in flight", async () => {
    const seen: SeenRequest[] = [];
    const stop = new CancelSignal();
    const server = await serve({
      onRequest: (request) => {
        seen.push(request);
        stop.stop();
      },
    });
    const lines = await testConnection(settingsFor(server.url, { oauth: null }), stop);
    assert.equal(short(lines)[2], "sign-in failed CONNECTION_LOST");
    assert.equal(seen.length, 1);
  });
});
