import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type Certificates, makeCertificates } from "../support/http/certificates";
import { accountAt, resultOf, startFlow, type TestFlow } from "./flow";
import { useSimulator } from "./use-simulator";

/** An HTTP proxy that wants credentials and remembers whom it was asked for. */
async function startProxy(authorization: string): Promise<{ server: Server; asked: string[]; url: string }> {
  const asked: string[] = [];
  const server = createServer();
  server.on("connect", (request, socket) => {
    asked.push(String(request.url));
    if (request.headers["proxy-authorization"] !== authorization) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    const upstream = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.destroy());
    socket.on("error", () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe("messaging-account: TLS and proxy nodes of Node-RED", () => {
  let certificates: Certificates;
  before(() => {
    certificates = makeCertificates();
  });
  const simulator = useSimulator(() => ({ tls: certificates.good }));

  const tls = { id: "n-tls", type: "tls-config", cert: "", key: "", ca: "", verifyservercert: true };

  const start = async (
    account: object,
    more: object[] = [],
    moreCredentials: object = {},
  ): Promise<TestFlow> => {
    const real = accountAt(simulator);
    return startFlow({
      ...real,
      account: { ...real.account, attempts: 1, ...account },
      more: more as never,
      moreCredentials: moreCredentials as never,
    });
  };

  it("sends nothing where the certificate is not trusted", async () => {
    const { send, ports } = await start({});
    send({ to: "41790000001", payload: "x" });
    const result = resultOf((await ports[2]!.until(1))[0]);
    assert.equal(result.statusName, "TLS_FAILED");
    assert.equal(simulator.main.requestCount, 0);
  });

  it("goes through a proxy node with its credentials, and not for hosts it exempts", async () => {
    const { server, asked, url } = await startProxy(
      `Basic ${Buffer.from("me:proxy-secret").toString("base64")}`,
    );
    try {
      const more = [tls, { id: "n-proxy", type: "http proxy", url, noproxy: [] }];
      const credentials = {
        "n-tls": { cadata: certificates.authority.cert },
        "n-proxy": { username: "me", password: "proxy-secret" },
      };
      const first = await start({ tls: "n-tls", proxy: "n-proxy" }, more, credentials);
      first.send({ to: "41790000001", payload: "x" });
      assert.equal(resultOf((await first.ports[0]!.until(1))[0]).outcome, "sent");
      assert.deepEqual(asked, [`127.0.0.1:${simulator.port}`]);
      await first.stop();

      const wrong = await start({ tls: "n-tls", proxy: "n-proxy" }, more, {
        ...credentials,
        "n-proxy": { username: "me", password: "not-it" },
      });
      wrong.send({ to: "41790000001", payload: "x" });
      assert.equal(resultOf((await wrong.ports[1]!.until(1))[0]).statusName, "PROXY_DENIED");
      await wrong.stop();

      const exempt = await start(
        { tls: "n-tls", proxy: "n-proxy" },
        [tls, { id: "n-proxy", type: "http proxy", url, noproxy: ["127.0.0.1"] }],
        credentials,
      );
      exempt.send({ to: "41790000001", payload: "x" });
      await exempt.ports[0]!.until(1);
      assert.equal(asked.length, 2, "the last one went straight");
      assert.equal(simulator.main.messages.length, 2);
    } finally {
      server.close();
    }
  });
});
