import assert from "node:assert/strict";
import type { NodeAPI, NodeMessage } from "node-red";
import { Account } from "../../lib/runtime/account/account";
import { activityOf } from "../../lib/runtime/activity/activity-of";
import type { LimitUse, LimitWarnings } from "../../lib/runtime/guards/limit-warnings";
import { waitFor } from "../support/wait-for";
import { accountAt, ACCOUNT, type Config, resultOf, SENDER, startFlow, type TestFlow } from "./flow";
import { TO } from "./store/stored-flow";
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
  let RED: NodeAPI;
  const register = [(api: NodeAPI): void => void (RED = api)];

  async function start(account: Config): Promise<{ flow: TestFlow; warnings: LimitWarnings | null }> {
    const real = accountAt(simulator);
    const flow = await startFlow({ ...real, register, account: { ...real.account, ...account } });
    const { limitWarnings } = await Account.of(flow.account).access();
    return { flow, warnings: limitWarnings };
  }
  const statuses = (flow: TestFlow): Status[] => flow.statuses.messages.map(statusOf);
  const ofAccount = (flow: TestFlow): Status[] =>
    statuses(flow).filter(({ source }) => source.id === ACCOUNT);
  const badge = (flow: TestFlow, wanted: object) =>
    waitFor(
      () => `${JSON.stringify(wanted)} after ${JSON.stringify(statuses(flow))}`,
      () => {
        const { fill, text } = statuses(flow).findLast(({ source }) => source.id === SENDER) ?? {};
        return JSON.stringify({ fill, text }) === JSON.stringify(wanted);
      },
    );

  it("are none for an account without limits", async () => {
    assert.equal((await start({})).warnings, null);
  });

  it("show on the badge of each send node, in the log, and once to Status nodes", async () => {
    const { flow, warnings } = await start({ limitHour: "1000003" });
    assert.ok(warnings);
    warnings.spent("hour", 800_002, 1_000_003);
    assert.deepEqual(ofAccount(flow), []);
    warnings.spent("hour", 800_003, 1_000_003);
    await badge(flow, { fill: "yellow", text: "800003 of 1000003 this hour" });
    warnings.spent("hour", 900_000, 1_000_003);
    await badge(flow, { fill: "yellow", text: "900000 of 1000003 this hour" });
    flow.send({ to: TO, payload: "a" });
    assert.equal(resultOf((await flow.all.until(1))[0]).outcome, "sent");
    await badge(flow, { fill: "yellow", text: "1 accepted · 900000 of 1000003 this hour" });
    warnings.spent("hour", 1_000_003, 1_000_003);
    await badge(flow, { fill: "yellow", text: "1 accepted · 1000003 of 1000003 this hour" });
    const told = ofAccount(flow).map(({ limit, fill }) => [
      limit?.period,
      limit?.messages,
      limit?.limit,
      limit?.reached,
      fill,
    ]);
    assert.deepEqual(told, [
      ["hour", 800_003, 1_000_003, false, "yellow"],
      ["hour", 1_000_003, 1_000_003, true, "yellow"],
    ]);
    assert.ok(Date.parse(ofAccount(flow)[0]?.limit?.ends ?? "") > Date.now());
    const listed = activityOf(RED)
      .watch()
      .entries.filter(({ node }) => node === ACCOUNT);
    assert.deepEqual(
      listed.map(({ channel, result, name, count, code }) => [channel, result, name, count, code]),
      [
        ["account", "limit-near", "hour", 800_003, 1_000_003],
        ["account", "limit-reached", "hour", 1_000_003, 1_000_003],
      ],
    );
    assert.equal(activityOf(RED).watch().counters.sent, 1);
    const lines = flow.log("warn").filter((line) => line.includes("1000003"));
    assert.equal(lines.length, 2);
    assert.match(lines[0] ?? "", /800003 of 1000003 messages of this hour are used/);
    assert.match(lines[1] ?? "", /The limit of 1000003 messages an hour is reached/);
    warnings.spent("hour", 1, 1_000_003);
    await badge(flow, { fill: "green", text: "1 accepted" });
  });
});
