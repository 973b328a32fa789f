import assert from "node:assert/strict";
import { useFolder } from "../../unit/store/use-folder";
import { waitFor } from "../../support/wait-for";
import { ACCOUNT } from "../flow";
import { useSimulator } from "../use-simulator";
import { deployWith, ears, requestCount, startStored, textsAt, TO } from "./stored-flow";

describe("a deploy that changes the storage of an account", () => {
  const simulator = useSimulator();
  const folder = useFolder();

  it("logs once how many messages wait, and sends them once after it is set back", async () => {
    const heard: unknown[] = [];
    const flow = await startStored(simulator, folder(), {
      account: { stopSending: true },
      sender: { wires: Array(4).fill(["ear"]) },
      more: [{ id: "ear", z: "tab", type: "test-ear" }],
      register: [ears(heard)],
    });
    const warnings = (): string[] =>
      flow.log("warn").filter((line) => line.includes("previous storage of this account"));
    for (const payload of ["one", "two"]) flow.send({ to: TO, payload });
    await waitFor("both in the queue", async () => (await requestCount(folder(), "queued")) === 2);
    await deployWith("full", { [ACCOUNT]: { keepMessages: "memory", stopSending: false } });
    await waitFor("the warning", () => warnings().length > 0);
    await deployWith("full", { ear: { name: "deployed" } });
    assert.deepEqual(textsAt(simulator), []);
    await deployWith("full", { [ACCOUNT]: { keepMessages: "computer" } });
    await waitFor("both results", () => heard.length === 2);
    assert.deepEqual(textsAt(simulator), ["one", "two"]);
    assert.equal(warnings().length, 1);
    assert.match(
      warnings()[0] ?? "",
      /2 messages wait .*messages\.db\. .* Opt-outs, send-once keys and history/,
    );
  });
});
