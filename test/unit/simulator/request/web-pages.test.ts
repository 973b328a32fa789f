import assert from "node:assert/strict";
import { assertFields, pluck, rawExchange, rawSms } from "../../../support/simulator";
import { useWebhookServer } from "../../../support/simulator/webhook-server";
import { LEGACY_BASIC, type ServiceClient, SMS_FORM } from "../../../support/simulator/service-client";
import { useSimulator, useSimulators } from "../../../support/simulator/use-simulator";

const FOREIGN_HOSTS = [
  ...["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "evil-localhost", "10.0.0.1"],
  ...["localhost.", "127.0.0.1.", "localhost.:80", "a.localhost", "0.0.0.0", "127.1", "127.0.0.256"],
  ...["2130706433", "[::]", "[::ffff:127.0.0.1]", "[::1].evil.example", "::1", "localhost:"],
  ...["localhost:80:80", "localhost:x", "user@localhost", "localhost@evil.example"],
  ...["localhost,evil.example", "localhost evil.example", " "],
];
describe("simulator: web pages", () => {
  const sim = useSimulator();
  const start = useSimulators();
  const victim = useWebhookServer();
  beforeEach(() => sim.account("own").reset());

  /** Asserts that neither an account, nor nobody's path, has kept anything of a call, and nobody was called back. */
  const nothingHappened = () => {
    const counts = pluck([sim.main, sim.account("own")], "requestCount", "messageCount", "deliveryCount");
    assert.deepEqual(counts.flat(), Array(6).fill(0));
    assert.equal(victim.calls.length, 0);
  };

  /** One call each to the service, to another account, to controls and to no place, all with good credentials. */
  async function everywhere(headers: Record<string, string>): Promise<number[]> {
    const notificationCallbackUrl = victim.url("/library/flows/x");
    const query = new URLSearchParams({
      access_token: sim.credentials.accessToken,
      recipientAddressList: "41790000000",
      messageContent: "Hello",
      notificationCallbackUrl,
    });
    const send = (client: ServiceClient) => client.sms(undefined, { notificationCallbackUrl }, headers);
    const answers = [
      await send(sim),
      await send(sim.at("own")),
      await send(sim.at("nobody")),
      await sim.get(`${SMS_FORM}?${query}`, headers),
      await sim.request("/oauth/token", { headers: { authorization: LEGACY_BASIC, ...headers } }),
      await sim.request("/nowhere", { headers }),
      await sim.request(SMS_FORM, { method: "OPTIONS", headers }),
      await sim.control("GET", "messages", undefined, headers),
      await sim.get("/_sim/health", headers),
    ];
    const names = answers.flatMap((answer) => Object.keys(answer.headers));
    assert.deepEqual(
      names.filter((name) => name.startsWith("access-control-")),
      [],
    );
    return pluck(answers, "httpStatus");
  }

  const refused = async (headers: Record<string, string>) => {
    assert.deepEqual([...new Set(await everywhere(headers))], [403], JSON.stringify(headers));
    nothingHappened();
  };

  it("are refused from any origin, without storing, sending or calling back", async () => {
    for (const origin of ["https://evil.example", "null", "http://localhost:1880", sim.url, ""]) {
      await refused({ origin });
    }
  });

  it("are recognised by Sec-Fetch-Site when a request has no Origin", async () => {
    for (const site of ["cross-site", "same-site", "same-origin", "odd"]) {
      await refused({ "sec-fetch-site": site });
    }
  });

  it("can not point a name of their own at it: every path wants a loopback host", async () => {
    for (const host of FOREIGN_HOSTS) await refused({ host });
  });

  it("can not leave the host out, say it twice, or hide it in the target", async () => {
    const post = "POST /rest/smsmessaging/simple HTTP/1.1";
    const heads = {
      "HTTP/1.0 without a host": [post.replace("1.1", "1.0")],
      "HTTP/1.1 without a host": [post],
      "an empty host": [post, "host:"],
      "two hosts": [post, "host: localhost", "host: evil.example"],
      "a foreign host in the target": [post.replace(" /", " http://evil.example/"), "host: localhost"],
    };
    for (const [name, head] of Object.entries(heads)) {
      const { bytes } = await rawExchange(sim.port, rawSms([...head, "connection: close"]));
      assert.match(bytes, /^HTTP\/1\.1 40[034] /, name);
      assert.equal(sim.main.messageCount, 0, name);
    }
  });

  it("are refused at a reachable address and by any name that is not permitted", async () => {
    const allowedHosts = ["simulator.lan", "192.0.2.7", "fd00::7"];
    const open = await start({ host: "0.0.0.0", allowedHosts });
    const statusFor = async (headers: Record<string, string>) =>
      (await open.sms(undefined, {}, headers)).httpStatus;
    for (const host of ["simulator.lan", "Simulator.LAN:8025", "192.0.2.7:80", "[fd00::7]:80", "localhost"]) {
      assert.equal(await statusFor({ host }), 200, host);
      assert.equal(await statusFor({ host, origin: `http://${host}` }), 403, host);
    }
    for (const host of [
      ...["evil.example", "192.0.2.8", "a.simulator.lan", "simulator.lan.evil.example", "[fd00::8]"],
    ]) {
      assert.equal(await statusFor({ host }), 403, host);
    }
    // Controls stay on this machine.
    const control = await open.control("GET", "messages", undefined, { host: "simulator.lan" });
    assertFields(control, { httpStatus: 403 });
  });
});
