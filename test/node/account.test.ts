import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { acquireBuiltIn } from "../../simulator/built-in";
import { ACCOUNT, type Config, resultOf, setEnv, startAt, startFlow } from "./flow";
import { useSimulator } from "./use-simulator";

const errorOf = (msg: NodeMessage | undefined): { message: string; code?: string } =>
  (msg as { error: { message: string; code?: string } }).error;

describe("messaging-account", () => {
  const simulator = useSimulator();

  it("works with the built-in simulator without any settings, and shows it in result and badge", async () => {
    const { send, ports, statuses } = await startFlow({});
    send({ to: "+41790000001", payload: "Hello" });
    const result = resultOf((await ports[0]!.until(1))[0]);
    assert.equal(result.simulated, true);
    const builtIn = await acquireBuiltIn(ACCOUNT);
    assert.equal(builtIn.account.messages.at(-1)?.transferId, result.transferId);
    builtIn.release();
    const [first] = await statuses.until(1);
    assert.match((first as { status: { text: string } }).status.text, /^SIMULATED/);
  });

  for (const [legacyAuth, credential] of [
    ["token-header", "accessToken"],
    ["token-query", "accessToken"],
  ] as const) {
    it(`authenticates by ${legacyAuth}`, async () => {
      const { send, ports } = await startFlow({
        account: { service: "service", serviceAddress: simulator.url, legacyAuth },
        credentials: { [credential]: simulator.credentials.accessToken },
      });
      send({ to: "41790000001", payload: "x" });
      assert.equal(resultOf((await ports[0]!.until(1))[0]).outcome, "sent");
      const [request] = simulator.main.requests;
      assert.equal("authorization" in request!.headers, legacyAuth === "token-header");
      assert.equal(request!.path.includes("access_token="), legacyAuth === "token-query");
    });
  }

  it("replaces ${ENV} in credentials and address", async () => {
    setEnv({
      TEST_SMS_ADDRESS: simulator.url,
      TEST_SMS_USER: simulator.credentials.username,
      TEST_SMS_PASSWORD: simulator.credentials.password,
    });
    const { send, ports } = await startFlow({
      account: { service: "service", serviceAddress: "${TEST_SMS_ADDRESS}", legacyAuth: "basic" },
      credentials: { username: "${TEST_SMS_USER}", password: "${TEST_SMS_PASSWORD}" },
    });
    send({ to: "41790000001", payload: "x" });
    assert.equal(resultOf((await ports[0]!.until(1))[0]).outcome, "sent");
  });

  const VARIABLE = { username: "u", password: "${NO_SUCH_SECRET}" };
  const SIGNED = { serviceAddress: "https://me:pa55word@example.com" };
  const faults: [title: string, code: string, text: RegExp, account: Config, credentials?: Config][] = [
    ["no address", "BAD_ADDRESS", /service address is empty/, { serviceAddress: "" }],
    ["plain http elsewhere", "INSECURE_ADDRESS", /https:\/\//, { serviceAddress: "http://api.example.com" }],
    ["an address with credentials", "BAD_ADDRESS", /credential fields/, SIGNED],
    ["no credentials", "NO_CREDENTIALS", /user name and password/, {}, {}],
    ["a missing variable", "UNRESOLVED_VARIABLE", /NO_SUCH_SECRET/, {}, VARIABLE],
    ["a missing TLS configuration", "BAD_TLS", /TLS configuration/, { tls: "gone" }],
    ["a missing proxy", "BAD_PROXY", /HTTP proxy/, { proxy: "gone" }],
    ["an impossible number", "BAD_SETTING", /number of connections.*1 to 256.*'0'/, { connections: 0 }],
    ["an unknown country", "BAD_SETTING", /ISO 3166/, { defaultCountry: "Switzerland" }],
  ];
  it("ends each message with an error that gives advice when the set-up is wrong", async () => {
    for (const [title, code, text, account, credentials] of faults) {
      const flow = await startAt(simulator, account, credentials && { credentials });
      flow.send({ to: "41790000001", payload: "x" });
      flow.send({ to: "41790000001", payload: "x" });
      const [first] = await flow.caught.until(2);
      assert.equal(errorOf(first).code, code, title);
      assert.match(errorOf(first).message, text);
      assert.equal(errorOf(first).message.includes("pa55word"), false);
      assert.equal(flow.all.messages.length, 0);
      assert.equal(simulator.main.requestCount, 0);
      await flow.stop();
    }
  });

  it("reports a node without an account", async () => {
    const { send, caught } = await startFlow({ sender: { account: "" } });
    send({ to: "41790000001", payload: "x" });
    assert.equal(errorOf((await caught.until(1))[0]).code, "NO_ACCOUNT");
  });

  it("works again after an outage, without a deploy", async () => {
    const { send, ports } = await startAt(simulator, { attempts: 1 });
    send({ to: "41790000001", payload: "x" });
    await ports[0]!.until(1);
    await simulator.pause();
    send({ to: "41790000001", payload: "y" });
    const result = resultOf((await ports[2]!.until(1))[0]);
    assert.equal(result.outcome, "retry-later");
    assert.equal(result.statusName, "CONNECT_FAILED");
    await simulator.resume();
    send({ to: "41790000001", payload: "z" });
    await ports[0]!.until(2);
    assert.deepEqual(
      simulator.main.messages.map(({ content }) => content),
      ["x", "z"],
    );
  });

  it("emits messages over the queue limit at 'try again', without a request", async () => {
    const { send, all, ports } = await startAt(simulator, { connections: 1, queueLimit: 2, attempts: 1 });
    simulator.main.addFault({ times: 1, answer: { statusCode: 2000, delayMs: 200 } });
    for (let at = 0; at < 6; at++) {
      send({ to: "41790000001", payload: `x${at}` });
    }
    await all.until(6);
    assert.equal(ports[0]!.messages.length, 3);
    assert.equal(ports[2]!.messages.length, 3);
    for (const msg of ports[2]!.messages) {
      assert.equal(resultOf(msg).statusName, "QUEUE_FULL");
      assert.equal(resultOf(msg).source, "local");
      assert.equal(resultOf(msg).attempts, 0);
    }
    assert.equal(simulator.main.requestCount, 3);
  });
});
