// Slow: the service gives over 400 answers, many of them to two attempts, and once none for a second.
import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import type { SendResult } from "../../lib/runtime/channels/send-result";
import { CONNECTION_FAULTS, type FaultAnswer } from "../../simulator/faults/fault-rule";
import { type Simulator, startSimulator } from "../../simulator/index";
import { bareHttp, legacyCodes, oauthCodes } from "../unit/contract/contract-fixture";
import { hurry } from "../support/hurry";
import { freePort } from "../support/http/free-port";
import { type Config, resultOf, startFlow, stopServer, type TestFlow } from "./flow";

/**
 * Every way to send × every status code of its list × every HTTP status without a code × every network fault:
 * outcome, port, number of tries, number of requests. The expectations come from the hand-written fixture of
 * the contract, and there is one table for all: no kind of message has a path of its own.
 */

const ATTEMPTS = 2;
const PORT: Readonly<Record<string, number>> = {
  sent: 0,
  queued: 1,
  rejected: 2,
  denied: 3,
  "retry-later": 4,
  unknown: 5,
};

interface Way {
  /** The operation that it is. */
  readonly operation: string;
  readonly oauth: boolean;
  readonly codes: readonly { readonly code: number; readonly outcome: string }[];
  readonly node: Config;
}

const legacyOf = (list: "general" | "sms" | "whatsapp") =>
  legacyCodes.filter(({ lists }) => (lists as readonly string[]).includes(list));
const oauthOf = (kind: "text" | "media" | "template") =>
  oauthCodes.filter(({ lists }) => (lists as readonly string[]).includes(kind) || lists.length === 0);
/** Not listed anywhere for RCS: what all kinds have in common, and 4028 for a payload that is refused. */
const rcsCodes = oauthCodes.filter(({ lists }) => lists.length === 3);

const way = (operation: string, codes: Way["codes"], node: Config): Way => {
  const oauth = operation === "rcs" || /^whatsapp-(?!broadcast)/.test(operation);
  return { operation, oauth, codes, node };
};
const TEMPLATE = {
  templateName: "welcome",
  templateNameSource: "str",
  templateLocale: "en_US",
  templateLocaleSource: "str",
};

const WAYS: readonly Way[] = [
  way("sms-form", legacyOf("sms"), { type: "messaging-sms-send", interface: "form" }),
  way("sms-get", legacyOf("sms"), { type: "messaging-sms-send", interface: "get" }),
  way("sms-json", legacyOf("general"), { type: "messaging-sms-send", interface: "json" }),
  way("whatsapp-broadcast", legacyOf("whatsapp"), { type: "messaging-whatsapp-send", kind: "broadcast" }),
  way("whatsapp-text", oauthOf("text"), { type: "messaging-whatsapp-send", kind: "text" }),
  way("whatsapp-media", oauthOf("media"), { type: "messaging-whatsapp-send", kind: "media" }),
  way("whatsapp-template", oauthOf("template"), {
    type: "messaging-whatsapp-send",
    kind: "template",
    ...TEMPLATE,
  }),
  way("rcs", rcsCodes, { type: "messaging-rcs-send", kind: "text" }),
];

interface Case {
  readonly title: string;
  readonly answer: FaultAnswer;
  readonly outcome: string;
  readonly statusCode: number | null;
  /** Tries, each a request that the service sees. */
  readonly tries: number;
}

/** Only what was surely not sent is tried again, and of it not a limit that is used up. */
const triesOf = (outcome: string, code: number | null): number =>
  outcome === "retry-later" && code !== 4013 ? ATTEMPTS : 1;

function caseOf(
  title: string,
  answer: FaultAnswer,
  outcome: string,
  statusCode: number | null,
  tries = triesOf(outcome, statusCode),
): Case {
  return { title, answer, outcome, statusCode, tries };
}

const PAGE: FaultAnswer = { httpStatus: 200, body: "<html>Hello</html>", contentType: "text/html" };

const casesOf = ({ codes, oauth }: Way): Case[] => [
  ...codes.map(({ code, outcome }) => caseOf(`code ${code}`, { statusCode: code }, outcome, code)),
  ...bareHttp.map(({ status, outcome }) => {
    const answer = { httpStatus: status, body: "no code here" };
    // A bearer token that is refused is replaced once.
    const tries = oauth && status === 401 ? 2 : undefined;
    return caseOf(`bare HTTP ${status}`, answer, outcome, null, tries);
  }),
  ...CONNECTION_FAULTS.filter((connection) => connection !== "stall").map((connection) =>
    caseOf(`connection: ${connection}`, { connection }, "unknown", null),
  ),
  caseOf("a code that no list has, of the sender's side", { statusCode: 4099 }, "rejected", 4099),
  caseOf("a code that no list has, of the service's side", { statusCode: 5099 }, "unknown", 5099),
  caseOf("a page that is no answer of the service", PAGE, "unknown", null),
  caseOf("success by code, failure by HTTP", { statusCode: 2000, httpStatus: 500 }, "unknown", 2000),
];

/** A number of its own for each case, so that all can be under way at once and each finds its fault. */
const numberOf = (way: number, at: number): string => `999551${way}${String(at).padStart(5, "0")}`;

describe("every way to send × every answer × every network fault", () => {
  let simulator: Simulator;
  let flow: TestFlow | null = null;
  const left = new Map<string, { result: SendResult; port: number }>();

  const senders = (account: string): Config[] =>
    WAYS.flatMap(({ operation, node }) => [
      {
        id: operation,
        z: "tab",
        account,
        outputs: 6,
        wires: Object.values(PORT).map((port) => [`${operation}-${port}`]),
        ...node,
      },
      ...Object.values(PORT).map((port) => ({ id: `${operation}-${port}`, z: "tab", type: "helper" })),
    ]);

  /** Sends one message by each way and number, and waits until every one has left by some port. */
  async function sendAll(
    running: TestFlow,
    messages: readonly { operation: string; to: string }[],
  ): Promise<void> {
    left.clear();
    const all = new Promise<void>((resolve) => {
      for (const { operation } of WAYS) {
        for (const port of Object.values(PORT)) {
          running.node(`${operation}-${port}`).on("input", (msg: NodeMessage) => {
            left.set(`${operation} ${String(msg.to)}`, { result: resultOf(msg), port });
            if (left.size === messages.length) {
              resolve();
            }
          });
        }
      }
    });
    for (const { operation, to } of messages) {
      running.node(operation).receive({ to, payload: "Hello", mediaId: simulator.main.media[0]?.mediaId });
    }
    await all;
  }

  const accountOf = (url: string, applicationId: string, answerTimeout: number): Config => ({
    service: "service",
    serviceAddress: url,
    legacyAuth: "basic",
    applicationId,
    attempts: ATTEMPTS,
    connections: 64,
    whenRefused: "fail",
    answerTimeout,
  });

  const start = async (
    url: string,
    applicationId = simulator.credentials.applicationId,
    answerTimeout = 60,
  ): Promise<TestFlow> => {
    const { username, password, clientId, clientSecret } = simulator.credentials;
    flow = await startFlow({
      account: accountOf(url, applicationId, answerTimeout),
      credentials: { username, password, clientId, clientSecret },
      more: senders("n-account"),
    });
    return flow;
  };

  let normal = (): void => {};
  before(async () => {
    normal = hurry(20);
    simulator = await startSimulator();
  });
  afterEach(async () => {
    await flow?.stop();
    flow = null;
  });
  after(async () => {
    normal();
    await simulator.close();
    await stopServer();
  });

  it("each ends as the contract says", async () => {
    const cases = WAYS.flatMap((way, index) =>
      casesOf(way).map((one, at) => ({ ...one, operation: way.operation, to: numberOf(index, at) })),
    );
    for (const { operation, to, answer } of cases) {
      simulator.main.addFault({ operation, recipient: to, times: 0, answer });
    }
    await sendAll(await start(simulator.url), cases);
    const seen = new Map<string, number>();
    for (const { operation, fields } of simulator.main.requests) {
      const [to] = [fields.recipientAddressList ?? fields.recipient].flat();
      const key = `${operation} ${String(to).replace("+", "")}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    const found = cases.map(({ title, operation, to }) => {
      const key = `${operation} ${to}`;
      const { result, port } = left.get(key) ?? assert.fail(`${key} never came out`);
      const { outcome, attempts, statusCode } = result;
      return `${operation}, ${title}: ${outcome} by port ${port}, ${attempts} tries, ${seen.get(key) ?? 0} requests, code ${statusCode}`;
    });
    const wanted = cases.map(
      ({ title, operation, outcome, tries, statusCode }) =>
        `${operation}, ${title}: ${outcome} by port ${PORT[outcome]}, ${tries} tries, ${tries} requests, code ${statusCode}`,
    );
    assert.deepEqual(found, wanted);
  });

  it("reports a request as unknown, and never repeats it, when the service does not answer", async () => {
    const messages = WAYS.map(({ operation }, at) => ({ operation, to: numberOf(at, 0) }));
    const account = simulator.account("stalling");
    for (const { operation } of messages) {
      account.addFault({ operation, times: 0, answer: { connection: "stall" } });
    }
    await sendAll(await start(account.url, undefined, 1), messages);
    assert.deepEqual(
      [...left.values()].map(({ result, port }) => [result.outcome, port, result.attempts]),
      WAYS.map(() => ["unknown", PORT.unknown, 1]),
    );
    const sent = account.requests.filter(({ operation }) => operation !== "token");
    assert.equal(sent.length, WAYS.length);
  });

  it("each is tried again, and none is sent, where no connection can be made", async () => {
    const messages = WAYS.map(({ operation }, at) => ({ operation, to: numberOf(at, 0) }));
    await sendAll(await start(`http://127.0.0.1:${await freePort()}`), messages);
    assert.deepEqual(
      [...left.values()].map(({ result, port }) => [result.outcome, port, result.attempts, result.source]),
      WAYS.map(() => ["retry-later", PORT["retry-later"], ATTEMPTS, "local"]),
    );
  });

  it("nothing is sent, and each has its result, where there is no application id", async () => {
    const account = simulator.account("no-application");
    const ways = WAYS.filter(({ oauth }) => oauth);
    await sendAll(
      await start(account.url, ""),
      ways.map(({ operation }, at) => ({ operation, to: numberOf(at, 0) })),
    );
    assert.deepEqual(
      [...left.values()].map(({ result, port }) => [
        result.outcome,
        port,
        result.attempts,
        result.source,
        result.statusName,
      ]),
      ways.map(() => ["denied", PORT.denied, 0, "local", "NO_APPLICATION"]),
    );
    assert.equal(account.requestCount, 0);
  });

  it("sends nothing where the token service fails or refuses the client", async () => {
    for (const [at, [answer, outcome, attempts]] of (
      [
        [{ httpStatus: 503, body: "" }, "retry-later", ATTEMPTS],
        [{ httpStatus: 200, body: "nonsense" }, "retry-later", ATTEMPTS],
        [{ connection: "drop-after-accept" }, "retry-later", ATTEMPTS],
        [{ httpStatus: 401, body: '{"error":"invalid_client"}' }, "denied", 1],
        [{ httpStatus: 400, body: '{"error":"invalid_scope"}' }, "denied", 1],
      ] as const
    ).entries()) {
      const account = simulator.account(`token-${at}`);
      account.addFault({ operation: "token", times: 0, answer });
      const ways = WAYS.filter(({ oauth }) => oauth);
      const running = await start(account.url);
      await sendAll(
        running,
        ways.map(({ operation }, way) => ({ operation, to: numberOf(way, 0) })),
      );
      assert.deepEqual(
        [...left.values()].map(({ result, port }) => [result.outcome, port, result.attempts]),
        ways.map(() => [outcome, PORT[outcome], attempts]),
      );
      assert.equal(account.requests.filter(({ operation }) => operation !== "token").length, 0);
      await running.stop();
    }
  });
});
