import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { startSimulator } from "../../../../simulator/index";
import { FORM, LEGACY_BASIC, rawRequest, sendForm, until } from "../raw-request";
import { useWebhookServer } from "../webhooks/webhook-server";
import { useSimulator } from "../use-simulator";

const GOOD = "recipientAddressList=41790000000&messageContent=Hello";
const FOREIGN_HOSTS = [
  ...["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "evil-localhost", "10.0.0.1"],
  ...[
    "localhost.",
    "127.0.0.1.",
    "localhost.:80",
    "a.localhost",
    "0.0.0.0",
    "127.1",
    "127.0.0.256",
    "2130706433",
  ],
  ...[
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::1].evil.example",
    "::1",
    "localhost:",
    "localhost:80:80",
    "localhost:x",
  ],
  ...["user@localhost", "localhost@evil.example", "localhost,evil.example", "localhost evil.example", " "],
];

describe("simulator: web pages", () => {
  const simulator = useSimulator({ controlToken: "control-token-for-tests" });
  const victim = useWebhookServer();
  beforeEach(() => simulator.account("own").reset());

  /** What an account, or nobody's path, keeps of a call. */
  const kept = () =>
    [simulator.main, simulator.account("own")].map(({ requestCount, messageCount, deliveryCount }) => [
      requestCount,
      messageCount,
      deliveryCount,
    ]);
  const NOTHING = [
    [0, 0, 0],
    [0, 0, 0],
  ];

  /** One call each to the service, to another account, to controls and to no place, all with good credentials. */
  async function everywhere(headers: Record<string, string>): Promise<number[]> {
    const callback = `&notificationCallbackUrl=${encodeURIComponent(victim.url("/library/flows/x"))}`;
    const control = { "x-simulator-token": simulator.controlToken, ...headers };
    const answers = [
      await sendForm(simulator.url, GOOD + callback, headers),
      await sendForm(simulator.account("own").url, GOOD + callback, headers),
      await sendForm(`${simulator.url}/account/nobody`, GOOD, headers),
      await rawRequest(
        `${simulator.url}/rest/smsmessaging/simple?access_token=${simulator.credentials.accessToken}&${GOOD}${callback}`,
        { method: "GET", headers },
      ),
      await rawRequest(`${simulator.url}/oauth/token`, {
        headers: { authorization: LEGACY_BASIC, ...headers },
      }),
      await rawRequest(`${simulator.url}/nowhere`, { headers }),
      await rawRequest(`${simulator.url}/rest/smsmessaging/simple`, { method: "OPTIONS", headers }),
      await rawRequest(`${simulator.url}/_sim/messages`, { method: "GET", headers: control }),
      await rawRequest(`${simulator.url}/_sim/health`, { method: "GET", headers }),
    ];
    for (const { headers: given } of answers) {
      for (const name of Object.keys(given)) assert.doesNotMatch(name, /^access-control-/);
    }
    return answers.map(({ httpStatus }) => httpStatus);
  }

  const refused = async (headers: Record<string, string>) => {
    assert.deepEqual([...new Set(await everywhere(headers))], [403], JSON.stringify(headers));
    assert.deepEqual(kept(), NOTHING);
    assert.equal(victim.calls.length, 0);
  };

  it("of any origin are refused everywhere, and nothing is kept, sent or called back", async () => {
    for (const origin of ["https://evil.example", "null", "http://localhost:1880", simulator.url, ""]) {
      await refused({ origin });
    }
  });

  it("are told by Sec-Fetch-Site where there is no Origin, as with a link, a picture or a form by GET", async () => {
    for (const site of ["cross-site", "same-site", "same-origin", "odd"]) {
      await refused({ "sec-fetch-site": site });
    }
  });

  it("may not be what somebody opens by hand either, but for the controls", async () => {
    const statuses = await everywhere({ "sec-fetch-site": "none" });
    assert.deepEqual(statuses, [...Array(7).fill(403), 200, 200]);
    assert.deepEqual([kept(), victim.calls.length], [NOTHING, 0]);
  });

  it("can not point a name of their own at it: every path wants a loopback host", async () => {
    for (const host of FOREIGN_HOSTS) await refused({ host });
  });

  it("are not what clients are, by whatever loopback name they call", async () => {
    for (const host of [
      "localhost",
      "LOCALHOST:80",
      "127.0.0.2:8025",
      "127.255.255.255",
      "[::1]:8025",
      "[::1]",
    ]) {
      // What fetch of Node.js adds by itself.
      const { httpStatus } = await sendForm(simulator.url, GOOD, { host, "sec-fetch-mode": "cors" });
      assert.equal(httpStatus, 200, host);
    }
  });

  it("can not leave the host out, say it twice, or hide it in the target", async () => {
    const heads = {
      "HTTP/1.0 without a host": ["POST /rest/smsmessaging/simple HTTP/1.0"],
      "HTTP/1.1 without a host": ["POST /rest/smsmessaging/simple HTTP/1.1"],
      "an empty host": ["POST /rest/smsmessaging/simple HTTP/1.1", "host:"],
      "two hosts": ["POST /rest/smsmessaging/simple HTTP/1.1", "host: localhost", "host: evil.example"],
      "a foreign host in the target": [
        "POST http://evil.example/rest/smsmessaging/simple HTTP/1.1",
        "host: localhost",
      ],
    };
    for (const [name, head] of Object.entries(heads)) {
      const socket = connect(simulator.port, "127.0.0.1");
      const chunks: Buffer[] = [];
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      const lines = [...head, `authorization: ${LEGACY_BASIC}`, `content-type: ${FORM}`, "connection: close"];
      socket.write([...lines, `content-length: ${GOOD.length}`, "", GOOD].join("\r\n"));
      await once(socket, "close");
      assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 40[034] /, name);
      assert.equal(simulator.main.messageCount, 0, name);
    }
  });

  it("learn nothing from the answer", async () => {
    const answer = await sendForm(simulator.url, GOOD, { origin: "https://evil.example" });
    assert.equal(answer.body, "web pages may not use the simulator (header Origin)\n");
  });

  it("leave the simulator as it was for its clients", async () => {
    const callback = `&notificationCallbackUrl=${encodeURIComponent(victim.url("/own"))}`;
    assert.match((await sendForm(simulator.url, GOOD + callback)).body, /^statusCode=2000&/);
    await until(() => victim.calls.length === 1);
  });

  it("are refused on an address that others reach, and by any name that was not permitted", async () => {
    const open = await startSimulator({
      host: "0.0.0.0",
      allowedHosts: ["simulator.lan", "192.0.2.7", "fd00::7"],
    });
    try {
      const url = `http://127.0.0.1:${open.port}`;
      for (const host of [
        "simulator.lan",
        "Simulator.LAN:8025",
        "192.0.2.7:80",
        "[fd00::7]:80",
        "localhost",
      ]) {
        assert.equal((await sendForm(url, GOOD, { host })).httpStatus, 200, host);
        assert.equal((await sendForm(url, GOOD, { host, origin: `http://${host}` })).httpStatus, 403, host);
      }
      for (const host of [
        "evil.example",
        "192.0.2.8",
        "a.simulator.lan",
        "simulator.lan.evil.example",
        "[fd00::8]",
      ]) {
        assert.equal((await sendForm(url, GOOD, { host })).httpStatus, 403, host);
      }
      // Controls stay on this machine.
      const headers = { "x-simulator-token": open.controlToken, host: "simulator.lan" };
      const control = await rawRequest(`${url}/_sim/messages`, { method: "GET", headers });
      assert.equal(control.httpStatus, 403);
    } finally {
      await open.close();
    }
  });
});
