import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { CREDENTIALS } from "../../simulator/sign-in/credentials";
import { onEachNodeRed } from "../support/node-red/on-each-node-red";
import { waitFor } from "../support/wait-for";

const ACCOUNT = "n-account";
const HOOK = "n-hook";
const SENDER = "n-sender";
const SECRET = "s3cret-of-the-webhook";

/** A flow whose SMS names the address of its reports itself: `msg.reports`. */
const FLOWS = [
  { id: "tab", type: "tab", label: "Reports" },
  { id: ACCOUNT, type: "messaging-account", service: "simulator", keepMessages: "memory" },
  {
    id: HOOK,
    type: "webhook-in",
    z: "tab",
    kind: "status",
    outputs: 4,
    wires: [["n-seen"], ["n-seen"], ["n-seen"], ["n-seen"]],
    credentials: { secret: SECRET },
  },
  { id: "n-seen", type: "debug", z: "tab", active: false, wires: [] },
  {
    id: "n-begin",
    type: "inject",
    z: "tab",
    props: [{ p: "reports", v: "", vt: "str" }],
    wires: [[SENDER]],
  },
  {
    id: SENDER,
    type: "sms-send",
    z: "tab",
    account: ACCOUNT,
    outputs: 4,
    wires: [["n-sent"], ["n-sent"], ["n-sent"], ["n-sent"]],
    recipientAddressList: "41790000000",
    recipientAddressListSource: "str",
    messageContent: "Hello",
    messageContentSource: "str",
    notificationCallbackUrl: "reports",
    notificationCallbackUrlSource: "msg",
  },
  { id: "n-sent", type: "debug", z: "tab", active: false, wires: [] },
];

onEachNodeRed("web pages and the built-in simulator", (bench) => {
  let victim: Server;
  let address: string;
  let calls: string[];

  before(async () => {
    victim = createServer((req, res) => {
      calls.push(`${req.method} ${req.url}`);
      res.end();
    });
    victim.listen(0, "127.0.0.1");
    await once(victim, "listening");
    address = `http://127.0.0.1:${(victim.address() as AddressInfo).port}`;
    await bench.nodeRed.deploy(FLOWS);
  });
  beforeEach(() => {
    calls = [];
  });
  after(() => {
    victim.close();
    victim.closeAllConnections();
  });

  /** Has the flow send one SMS that names an address for its reports; gives what became of the report. */
  async function report(reports: string): Promise<string> {
    const { nodeRed, simulator } = bench;
    const before = (await nodeRed.recording()).messages.length;
    await nodeRed.inject("n-begin", { __user_inject_props__: [{ p: "reports", v: reports, vt: "str" }] });
    const sent = await waitFor("the result", async () =>
      (await nodeRed.recording()).messages.slice(before).find(({ from }) => from === SENDER),
    );
    assert.equal(sent.msg.result.outcome, "sent");
    const { transferId } = sent.msg.result;
    return waitFor("the report", async () => {
      const all = await simulator.deliveries(ACCOUNT);
      const found = all.find((each) => each.transferId === transferId);
      return found && found.state !== "waiting" ? (found.dropped ?? found.state) : null;
    });
  }

  it("no form of a page is taken, even one that knows the documented credentials, and nothing is called", async () => {
    const { simulator, nodeRed } = bench;
    // The simulator runs once a message has gone through it.
    await report(address);
    const before = [(await simulator.messages(ACCOUNT)).length, (await simulator.deliveries(ACCOUNT)).length];
    const library = `${nodeRed.url}/library/local/flows/from-a-page`;
    const form = new URLSearchParams({ recipientAddressList: "41790000000", messageContent: "[]" });
    const query = `access_token=${CREDENTIALS.accessToken}`;
    for (const callback of [`${address}/x`, library, `${nodeRed.url}/inject/n-begin`]) {
      form.set("notificationCallbackUrl", callback);
      for (const headers of [
        { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
        { origin: nodeRed.url },
        { origin: "null" },
        { "sec-fetch-site": "same-site" },
        {},
      ]) {
        for (const account of ["", `/account/${ACCOUNT}`]) {
          const url = `http://127.0.0.1:${simulator.port}${account}/rest/smsmessaging/simple`;
          const type = { "content-type": "application/x-www-form-urlencoded" };
          const posted = await fetch(`${url}?${query}`, {
            method: "POST",
            headers: { ...type, ...headers } as Record<string, string>,
            body: form,
          });
          const got = await fetch(`${url}?${query}&${form}`, { headers: headers as Record<string, string> });
          const wanted = Object.keys(headers).length > 0 ? 403 : 401;
          assert.deepEqual([posted.status, got.status], [wanted, wanted], JSON.stringify(headers));
        }
      }
    }
    const now = [(await simulator.messages(ACCOUNT)).length, (await simulator.deliveries(ACCOUNT)).length];
    assert.deepEqual(now, before);
    assert.deepEqual(calls, []);
    const saved = await fetch(library);
    assert.notEqual(saved.status, 200);
  });

  it("a send has only webhooks of this Node-RED called: not its admin API, and no other server", async () => {
    const { url } = bench.nodeRed;
    for (const reports of [
      address,
      `${address}/messaging/${HOOK}?secret=${SECRET}`,
      `${url}/library/local/flows/x`,
      `${url}/inject/n-begin`,
      `${url}/messaging/${HOOK}/../../flows`,
      `${url}/messaging/${HOOK}%2f..%2f..%2fflows`,
      `${url}/messaging/nobody`,
      url.replace("127.0.0.1", "evil.example"),
    ]) {
      assert.equal(await report(reports), "callback-not-allowed", reports);
    }
    assert.deepEqual(calls, []);
    assert.match(
      bench.nodeRed.logs(),
      /does not call notificationCallbackUrl http:\/\/127\.0\.0\.1:\d+\/ ?:/,
    );
    assert.ok(!bench.nodeRed.logs().includes(SECRET));
  });

  it("a webhook of this Node-RED gets the report by its own address", async () => {
    const { nodeRed } = bench;
    const hook = `${nodeRed.url}/messaging/${HOOK}`;
    assert.equal(await report(`${hook}?secret=${SECRET}`), "acknowledged");
    const { messages } = await nodeRed.recording();
    const received = messages.filter(({ from }) => from === HOOK);
    assert.equal(received.at(-1)?.msg.payload.deliveryReportMessageStatus, "delivered");
  });
});
