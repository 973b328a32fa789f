// Slow: badges change a few times a second, and the test waits for what they say.
import assert from "node:assert/strict";
import type { SendingView } from "../../lib/shared/history/history";
import { findState } from "../../nodes/message-log/runtime/find-state";
import { Account } from "../../lib/runtime/account/account";
import { LastResults } from "../../lib/runtime/results/last-results";
import { useFolder } from "../unit/store/use-folder";
import { waitFor } from "../support/wait-for";
import { ask } from "./dialog-tests/ask";
import { ACCOUNT, type Config, resultOf, SENDER, type TestFlow, untilBadge } from "./flow";
import { deployWith, ears, startStored, TO } from "./store/stored-flow";
import { useSimulator } from "./use-simulator";

const sending = async (action: "look" | "resume"): Promise<SendingView> =>
  (await ask(`sending/${action}`, {})).body as SendingView;

describe("a refused account", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  const sentTexts = (): string[] => simulator.main.messages.map(({ content }) => String(content));
  const start = (account: Config = {}): Promise<TestFlow> => startStored(simulator, folder(), { account });
  /** Until the test calls `reset`, the service refuses the sign-in. */
  const refuse = (statusCode = 4001) => simulator.main.addFault({ times: 0, answer: { statusCode } });
  const refused = (count: number) =>
    waitFor(`${count} waiting at a refused account`, async () => {
      const { refused: signIns, waiting } = await sending("look");
      return signIns.length === 1 && waiting === count;
    });

  it("keeps messages until Resume, then sends each once", async () => {
    const flow = await start();
    const contents = Array.from({ length: 120 }, (_none, n) => `text ${n}`);
    refuse();
    for (const payload of contents) {
      flow.send({ to: TO, payload });
    }
    await refused(120);
    await untilBadge(flow, /^SMS and broadcasts: wrong credentials, check the account/);
    assert.deepEqual(flow.all.messages, []);
    const [error, ...others] = flow.log("error");
    assert.match(error ?? "", /refuses the sign-in for SMS.*\(wrong credentials\)\. Check user name.*Resume/);
    assert.deepEqual(others, []);
    const account = Account.of(flow.account);
    const { healthy, reasons, refused: signIns } = await findState(account, new LastResults(), Date.now());
    assert.deepEqual([healthy, reasons.length], [false, 1]);
    assert.match(reasons[0] ?? "", /^Messages wait because the service refuses the sign-in/);
    assert.deepEqual(signIns, ["legacy"]);
    simulator.main.clearFaults();
    await sending("resume");
    await flow.ports[0]!.until(120);
    assert.deepEqual(sentTexts().sort(), contents.sort());
    assert.equal(flow.all.messages.length, 120);
    assert.deepEqual((await sending("look")).refused, []);
    await untilBadge(flow, /^120 accepted$/);
  });

  it("sends what waits after a deploy of the account", async () => {
    const heard: unknown[] = [];
    const flow = await startStored(simulator, folder(), {
      sender: { wires: Array(4).fill(["ear"]) },
      more: [{ id: "ear", z: "tab", type: "test-ear" }],
      register: [ears(heard)],
    });
    refuse();
    flow.send({ to: TO, payload: "a" });
    await refused(1);
    simulator.main.clearFaults();
    await deployWith("full", { [ACCOUNT]: { connections: 2 } });
    await waitFor("the result", () => heard.length === 1);
    assert.deepEqual(sentTexts(), ["a"]);
    assert.deepEqual((await sending("look")).refused, []);
  });

  it("lets messages fail when its setting says so", async () => {
    const flow = await start({ whenRefused: "fail" });
    refuse();
    flow.send({ to: TO, payload: "a" });
    const [msg] = await flow.ports[1]!.until(1);
    assert.deepEqual([resultOf(msg).outcome, resultOf(msg).statusCode], ["denied", 4001]);
    assert.deepEqual((await sending("look")).refused, []);
  });

  it("fails a test of a dialog at once", async () => {
    const flow = await start();
    refuse();
    flow.send({ to: TO, payload: "a" });
    await refused(1);
    const config = { messageContent: "Hello", messageContentSource: "str" };
    const { body } = await ask("send-test", {
      type: "messaging-sms-send",
      node: SENDER,
      config,
      to: `+${TO}`,
    });
    assert.match(JSON.stringify(body), /4001/);
  });
});
