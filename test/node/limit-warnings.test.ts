import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import type { LimitUse } from "../../lib/runtime/guards/limit-warnings";
import { waitFor } from "../support/wait-for";
import { ACCOUNT, type Config, resultOf, SENDER, type TestFlow } from "./flow";
import { useFolder } from "../unit/store/use-folder";
import { described } from "./rules-flow";
import { startStored } from "./store/stored-flow";
import { useSimulator } from "./use-simulator";

interface Status {
  readonly fill?: string;
  readonly text?: string;
  readonly limit?: Omit<LimitUse, "ends"> & { readonly ends: string };
  readonly source: { readonly id: string };
}
const statusOf = (msg: NodeMessage): Status => (msg as unknown as { status: Status }).status;

describe("warnings of limits in a flow", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  const start = (account: Config): Promise<TestFlow> => startStored(simulator, folder(), { account });
  /** Sends to so many people, and waits for the result. */
  const sendTo = async (flow: TestFlow, people: number): Promise<string> => {
    const before = flow.all.messages.length;
    flow.send({ to: Array.from({ length: people }, (_, n) => String(41791000000 + n)), payload: "a" });
    return resultOf((await flow.all.until(before + 1))[before]).statusName;
  };
  const statuses = (flow: TestFlow): Status[] => flow.statuses.messages.map(statusOf);
  const ofAccount = (flow: TestFlow): Status[] =>
    statuses(flow).filter(({ source }) => source.id === ACCOUNT);
  const badge = (flow: TestFlow, text: RegExp) =>
    waitFor(
      () => `${text} after ${JSON.stringify(statuses(flow))}`,
      () => text.test(statuses(flow).findLast(({ source }) => source.id === SENDER)?.text ?? ""),
    );

  it("sends up to the limit and no further, and warns on badge, in the log and once to Status nodes", async () => {
    const flow = await start({ limitHour: "503", limitAction: "refuse" });
    assert.match(await sendTo(flow, 402), /^OK/);
    assert.deepEqual(ofAccount(flow), []);
    assert.match(await sendTo(flow, 1), /^OK/);
    await sendTo(flow, 97);
    // Three of four fit.
    assert.match(await sendTo(flow, 4), /^(OK|LIMIT_REACHED)/);
    assert.deepEqual(described((await flow.all.until(5)).slice(3)), [
      "LIMIT_REACHED 41791000003",
      "OK 41791000000,41791000001,41791000002",
    ]);
    await badge(flow, / · 503 of 503 this hour, until .*\d+:00 \S+$/);
    assert.equal(await sendTo(flow, 1), "LIMIT_REACHED");
    const told = ofAccount(flow).map(({ limit, fill }) => [
      limit?.period,
      limit?.messages,
      limit?.limit,
      limit?.reached,
      fill,
    ]);
    assert.deepEqual(told, [
      ["hour", 403, 503, false, "yellow"],
      ["hour", 503, 503, true, "yellow"],
    ]);
    assert.ok(Date.parse(ofAccount(flow)[0]?.limit?.ends ?? "") > Date.now());
    const lines = flow.log("warn").filter((line) => line.includes("503"));
    assert.equal(lines.length, 2);
    assert.match(lines[0] ?? "", /403 of 503 messages of this hour are used/);
    assert.match(
      lines[1] ?? "",
      /The limit of 503 messages an hour is reached, until .*\d+:00 \S+\. What becomes/,
    );
  });
});
