import assert from "node:assert/strict";
import { type RequestListener, ServerResponse } from "node:http";
import { Acknowledgements } from "../../../lib/webhook/acknowledgements";
import type { WebhookAuth } from "../../../lib/webhook/gates/authenticate";
import { Gates } from "../../../lib/webhook/gates/gates";
import { Receiver } from "../../../lib/webhook/receiver";
import type { ReceiverEvent, ReceivedEvent } from "../../../lib/webhook/receiver-parts";
import { runSelfTest } from "../../../lib/webhook/self-test";
import { freePort } from "../../support/http/free-port";
import { type LocalServer, startLocalServer } from "../../support/http/local-server";
import { SetLedger } from "../../support/webhook/set-ledger";

const JSON_TYPE = { "content-type": "application/json" };
const SECRET = "the secret & its escapes";

describe("self-test of a webhook", () => {
  let server: LocalServer;
  let handler: RequestListener;
  let url: string;
  const events: ReceivedEvent[] = [];
  const reported: ReceiverEvent[] = [];

  before(async () => {
    server = await startLocalServer((req, res) => handler(req, res));
    url = `${server.url}/hook`;
  });
  beforeEach(() => {
    events.length = 0;
    reported.length = 0;
  });
  after(() => server.stop());

  const NONE: WebhookAuth = { method: "none" };
  const QUERY: WebhookAuth = { method: "query", secrets: [SECRET, "other"] };
  function receiver(auth = NONE, allowed = "", sizeLimit = 1024): Receiver {
    const made = new Receiver(
      { kind: "inbound", channel: null, flowDecidesWithin: null },
      {
        gates: new Gates({ auth, allowed, proxyHops: 0, sizeLimit, bodyTimeout: 1000 }),
        ledger: new SetLedger(),
        optOuts: null,
        acknowledgements: new Acknowledgements(),
        audience: () => "some",
        emit: (event) => events.push(event),
        happened: (event) => reported.push(event),
      },
    );
    made.open();
    handler = (req, res) => void made.handle(req, res);
    return made;
  }
  const run = (
    made: Receiver,
    more: { url?: string; signInBefore?: boolean; timeout?: number; auth?: WebhookAuth } = {},
  ) => runSelfTest(made, more.auth ?? NONE, { where: "local", url, signInBefore: false, ...more });

  const AUTHS: readonly WebhookAuth[] = [
    NONE,
    QUERY,
    { method: "header", name: "x-hook", secrets: [SECRET] },
    { method: "basic", users: [{ username: "u", password: SECRET }] },
  ];
  for (const auth of AUTHS) {
    it(`comes through with ${auth.method}, and touches nothing`, async () => {
      const check = await run(receiver(auth), { auth });
      assert.deepEqual(
        { ...check, ms: 0 },
        { where: "local", url, passed: true, reason: "passed", httpStatus: 200, detail: null, ms: 0 },
      );
      assert.deepEqual([events, reported], [[], []]);
    });
  }

  it("names the gate that stopped it", async () => {
    const reasons = [
      await run(receiver(QUERY)),
      await run(receiver(QUERY), { auth: { method: "query", secrets: ["wrong"] } }),
      await run(receiver(NONE, "203.0.113.0/24")),
      await run(receiver(NONE, "", 10)),
    ].map(({ passed, reason, httpStatus }) => [passed, reason, httpStatus]);
    assert.deepEqual(reasons, [
      [false, "no-credentials", 401],
      [false, "wrong-credentials", 401],
      [false, "address-not-allowed", 403],
      [false, "too-large", 413],
    ]);
    assert.deepEqual([events, reported], [[], []]);
  });

  it("reports that the flows are not running", async () => {
    const made = receiver();
    made.pause();
    const { reason, httpStatus } = await run(made);
    assert.deepEqual([reason, httpStatus], ["not-running", 503]);
  });

  const LOGIN = "https://login.example/";
  const STRANGERS: readonly [string, number, Record<string, string>, string, string | null, boolean?][] = [
    ["another server", 200, {}, "other-server", null],
    ["no route", 404, {}, "not-found", null],
    ["a redirection", 302, { location: `${LOGIN}?secret=x` }, "redirected", LOGIN],
    ["a proxy", 403, {}, "blocked-before", null],
    ["another authentication", 401, {}, "blocked-before", null],
    ["a sign-in of Node-RED", 401, {}, "node-red-auth", null, true],
  ];
  for (const [what, status, headers, expected, detail, signInBefore = false] of STRANGERS) {
    it(`knows ${what} from the webhook`, async () => {
      const made = receiver();
      handler = (_req, res) => void res.writeHead(status, headers).end("{}");
      const check = await run(made, { signInBefore });
      assert.deepEqual([check.reason, check.httpStatus, check.detail], [expected, status, detail]);
    });
  }

  it("reports why a connection failed", async () => {
    const failureAt = (elsewhere: string) => run(receiver(), { url: elsewhere });
    const refused = await failureAt(`http://127.0.0.1:${await freePort()}/hook`);
    assert.deepEqual([refused.reason, refused.detail], ["no-connection", "ECONNREFUSED"]);
    assert.equal((await failureAt(url.replace("http:", "https:"))).reason, "tls");
    assert.equal((await failureAt("http://no-such-host.invalid/hook")).reason, "name-unknown");
  });

  /** Lets the webhook take the call, and has the rest of the answer written by another. */
  function answerInstead(write: (res: ServerResponse) => void): void {
    const inner = handler;
    handler = (req, res) => {
      const taken = new ServerResponse(req);
      taken.end = (() => {
        write(res);
        return taken;
      }) as never;
      inner(req, taken);
    };
  }

  for (const [status, body] of [
    [502, '{"statusCode":2000}'],
    [200, "<html>"],
    [200, '{"statusCode":"2000"}'],
  ] as const) {
    it(`does not pass where the answer is changed on its way to ${status} ${body}`, async () => {
      const made = receiver();
      answerInstead((res) => void res.writeHead(status, JSON_TYPE).end(body));
      const { passed, reason, httpStatus } = await run(made);
      assert.deepEqual([passed, reason, httpStatus], [false, "answer-changed", status]);
    });
  }

  it("reports after a timeout whether the call arrived", async () => {
    const silent = receiver();
    handler = () => {};
    const none = await run(silent, { timeout: 100 });
    assert.deepEqual([none.reason, none.httpStatus, none.detail], ["timeout", null, null]);
  });

  it("accepts only its own token for a self-test and emits none", async () => {
    receiver();
    const headers = { ...JSON_TYPE, "x-messaging-self-test": "guessed" };
    const response = await fetch(url, { method: "POST", headers, body: "{}" });
    assert.equal(response.status, 409);
    assert.equal(events.length, 0);
  });
});
