import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { testConnection } from "../../../../lib/gateway/connection-test/connection-test";
import type { GatewaySettings } from "../../../../lib/gateway/contract/settings";
import { CancelSignal } from "../../../../lib/gateway/http/cancel-signal";
import { CLIENT_SECRET, PASSWORD, settingsFor } from "../../../support/gateway/gateway-settings";
import { isToken, TOKEN, useGateway } from "../../../support/gateway/use-gateway";
import { type Certificates, makeCertificates } from "../../../support/http/certificates";
import { ACCEPTED, answer, type FaultServer } from "../../../support/http/fault-server";
import { freePort } from "../../../support/http/free-port";
import { tunnel } from "../../../support/http/test-proxy";

const REFUSED = "statusCode=4019&statusMessage=PARAMETER_MISSING+recipientAddressList&smsCount=0";
const NOT_REACHED = ["sign-in skipped NOT_REACHED", "token skipped NOT_REACHED"];
const START = ["connect ok OK", "tls skipped PLAIN"];

const texts: Record<string, Record<string, string>> = JSON.parse(
  readFileSync("nodes/config/locales/en-US/messaging-account.json", "utf8"),
)["messaging-account"].connection;

describe("connection test", () => {
  const { serve, proxyOf } = useGateway();
  let certificates: Certificates;

  before(() => {
    certificates = makeCertificates();
  });

  /** A service that answers sign-in and token requests as it is told, well without a word. */
  const service = (
    signIn = answer(200, REFUSED),
    token: (body: string) => string = () => TOKEN,
  ): Promise<FaultServer> =>
    serve((socket, request) => socket.write(isToken(request) ? token(String(request.body)) : signIn));

  /** Check, state and code of each line. */
  async function run(
    address: string,
    changed: Partial<GatewaySettings> = {},
    stop = new CancelSignal(),
  ): Promise<string[]> {
    const lines = await testConnection(settingsFor(address, changed), stop);
    for (const { check, code } of lines) {
      assert.ok(texts[check]?.[code], `a text for ${check}.${code}`);
    }
    for (const secret of [PASSWORD, CLIENT_SECRET, "tok-1", "pr0xy-pass"]) {
      assert.ok(!JSON.stringify(lines).includes(secret), secret);
    }
    return lines.map(({ check, state, code }) => `${check} ${state} ${code}`);
  }

  it("passes every step and sends no message", async () => {
    const server = await service();
    assert.deepEqual(await run(server.url), [
      ...START,
      "sign-in ok OK",
      "token ok OK",
      ...Array(4).fill("scope ok OK"),
    ]);
    const sends = server.requests.filter((request) => !isToken(request));
    assert.deepEqual(
      sends.map(({ method, target, body }) => `${method} ${target} ${body}`),
      ["POST /rest/smsmessaging/simple test=true"],
    );
    const scopes = server.requests.flatMap(({ body }) => new URLSearchParams(String(body)).getAll("scope"));
    assert.deepEqual(scopes, ["messaging:whatsapp", "messaging:rcs", "media:create", "media:read"]);
  });

  const signIns: readonly [answered: string, expected: string][] = [
    [answer(401, "statusCode=4001&statusMessage=x"), "failed INVALID_CREDENTIALS"],
    [answer(401, ""), "failed INVALID_CREDENTIALS"],
    [answer(200, "statusCode=4014"), "failed UNAUTHORIZED_IP"],
    [answer(200, "statusCode=4021"), "failed INVALID_ACCOUNT"],
    [answer(200, "statusCode=4022"), "failed ACCESS_DENIED"],
    [answer(403, ""), "failed ACCESS_DENIED"],
    [answer(200, "statusCode=4013"), "warning LIMIT_REACHED"],
    [answer(200, "statusCode=4023"), "warning THROTTLED"],
    [answer(200, "statusCode=4035"), "warning CHANNEL_DISABLED"],
    [answer(200, "statusCode=4002"), "ok OK"],
    [answer(200, "statusCode=4777"), "warning UNCLEAR"],
    [answer(200, "statusCode=5000"), "failed SERVICE_FAILS"],
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
      assert.deepEqual(lines.slice(2), [`sign-in ${expected}`, "token skipped NONE"]);
      assert.equal(server.requests.length, 1);
    });
  }

  it("leaves out texts of the service with a secret and masks no word of its own", async () => {
    // The first is a word of the meaning of 4001 and of its texts, the second of the name of the host.
    const { url } = await service(answer(401, "statusCode=4001&statusMessage=no+credentials+for+you"), () =>
      answer(401, '{"error":"invalid_client","error_description":"not localhost nor HTTP"}'),
    );
    const address = url.replace("127.0.0.1", "localhost");
    const lines = await testConnection(
      settingsFor(address, {
        legacy: { method: "basic", username: "alice", password: "credentials" },
        oauth: { clientId: "client-7", clientSecret: "localhost" },
      }),
      new CancelSignal(),
    );
    const [signIn] = lines.filter(({ check }) => check === "sign-in");
    assert.equal(signIn?.detail, "The credentials are wrong, or the account or customer is not active.");
    const [token] = lines.filter(({ check }) => check === "token");
    assert.match(token?.about ?? "", /^localhost/);
    assert.equal(token?.detail, "HTTP 401, invalid_client");
  });

  const tokens: readonly [title: string, token: (body: string) => string, expected: readonly string[]][] = [
    [
      "a refused client, asked for once only",
      () => answer(401, '{"error":"invalid_client"}'),
      ["token failed CLIENT_REFUSED"],
    ],
    [
      "one refused scope",
      (body) => (body.includes("rcs") ? answer(400, '{"error":"invalid_scope"}') : TOKEN),
      ["token ok OK", "scope ok OK", "scope warning SCOPE_REFUSED", "scope ok OK", "scope ok OK"],
    ],
    [
      "a refused client whose refusal describes a scope",
      () => answer(400, '{"error_description":"invalid_scope is not the reason"}'),
      ["token failed CLIENT_REFUSED"],
    ],
    ["no token service", () => answer(404, "<html>"), ["token failed NO_ENDPOINT"]],
    ["a token service that fails", () => answer(503, ""), ["token failed TOKEN_UNAVAILABLE"]],
  ];
  for (const [title, token, expected] of tokens) {
    it(`reports ${title}`, async () => {
      const server = await service(undefined, token);
      const lines = await run(server.url, { legacy: null });
      assert.deepEqual(lines.slice(2), ["sign-in skipped NONE", ...expected]);
      assert.equal(server.requests.length, expected.length === 1 ? 1 : 4);
    });
  }

  it("checks a separate token service only when the account has a client", async () => {
    const server = await service();
    const tokenAddress = `http://127.0.0.1:${await freePort()}`;
    assert.deepEqual(await run(server.url, { tokenAddress }), [
      ...START,
      "sign-in ok OK",
      "connect failed CONNECT_FAILED",
      "token skipped NOT_REACHED",
    ]);
    assert.equal((await run(server.url, { tokenAddress, oauth: null })).length, 4);
  });

  it("reports a closed port and skips further steps", async () => {
    const address = `http://127.0.0.1:${await freePort()}`;
    assert.deepEqual(await run(address), ["connect failed CONNECT_FAILED", ...NOT_REACHED]);
    const [line] = await testConnection(settingsFor(address), new CancelSignal());
    assert.equal(line?.detail, "ECONNREFUSED");
  });

  it("reports a name that cannot be resolved", async () => {
    assert.equal((await run("https://no-such-host.invalid"))[0], "name failed NAME_LOOKUP_FAILED");
  });

  type Tls = GatewaySettings["tls"];
  const encryption: readonly [
    title: string,
    identity: keyof Certificates | null,
    tls: (ca: string) => Tls,
    expected: string,
  ][] = [
    ["an expired certificate", "expired", (ca) => ({ ca }), "failed CERT_EXPIRED"],
    ["a certificate of another host", "otherHost", (ca) => ({ ca }), "failed CERT_OTHER_HOST"],
    ["an unknown authority", "good", () => null, "failed CERT_UNKNOWN_AUTHORITY"],
    ["an authority of one's own", "good", (ca) => ({ ca }), "ok OK"],
    ["a check that is switched off", "good", () => ({ rejectUnauthorized: false }), "warning UNVERIFIED"],
    ["TLS files that are none", "good", () => ({ ca: "nonsense", cert: "nonsense" }), "failed BAD_MATERIAL"],
    ["a server that speaks no TLS", null, () => null, "failed NO_TLS"],
  ];
  for (const [title, identity, tls, expected] of encryption) {
    it(`reports ${title}`, async () => {
      const onConnection = (socket: Socket): boolean =>
        socket.once("data", () => socket.end(answer(400, ""))) === socket;
      const server = await serve(
        null,
        identity === null ? { onConnection } : { tls: certificates[identity] },
      );
      const address = server.url.replace(/^http:/, "https:");
      const lines = await run(address, { oauth: null, tls: tls(certificates.authority.cert) });
      assert.deepEqual(lines.slice(0, 2), ["connect ok OK", `tls ${expected}`]);
      if (expected.startsWith("failed")) {
        assert.equal(lines[2], NOT_REACHED[0]);
        assert.equal(server.heads.length, 0);
      }
    });
  }

  const badToken = { legacy: { method: "token-header", accessToken: "a b" } } as const;
  for (const [address, changed, code] of [
    ["http://api.example.com", {}, "INSECURE_ADDRESS"],
    ["", {}, "BAD_ADDRESS"],
    ["https://api.example.com", badToken, "BAD_CREDENTIALS"],
  ] as const) {
    it(`reports settings that cannot work: ${code}`, async () =>
      assert.deepEqual(await run(address, changed), [`settings failed ${code}`]));
  }

  for (const [status, expected] of [
    [200, ["proxy ok OK", "tls skipped PLAIN", "sign-in ok OK"]],
    [407, ["proxy failed PROXY_DENIED", ...NOT_REACHED]],
    [502, ["proxy failed PROXY_FAILED", ...NOT_REACHED]],
  ] as const) {
    it(`goes through a proxy that answers ${status}`, async () => {
      const server = await service();
      const proxy = await proxyOf((head, socket) =>
        status === 200 ? tunnel(head, socket) : socket.end(`HTTP/1.1 ${status} Words\r\n\r\n`),
      );
      const url = proxy.url.replace("//", "//me:pr0xy-pass@");
      const lines = await run(server.url, { proxy: { url, noProxy: [] } });
      assert.deepEqual(lines.slice(0, 3), expected);
    });
  }

  it("ends without a request in flight when it is stopped", async () => {
    const stop = new CancelSignal();
    const server = await serve(() => stop.stop());
    assert.equal((await run(server.url, { oauth: null }, stop))[2], "sign-in failed CONNECTION_LOST");
    assert.equal(server.requests.length, 1);
  });
});
