import assert from "node:assert/strict";
import { accountWaitsContract } from "./account-waits-contract";
import { useMemory } from "./use-processes";
import { HOUR } from "./waiting-process";

const ANNA = "41790000001";
const BEAT = "41790000002";

describe("waits in memory", () => {
  const use = useMemory();
  accountWaitsContract(use);

  it("begin after their account has closed, as in a deploy while a field is read, and end at the next one", async () => {
    const { start, seen, open, until, timing } = use();
    const former = await start(undefined, "account");
    const transferId = await former.process.send([ANNA]);
    former.leave();
    await former.process.end();
    await former.process.begin(transferId);
    const { process, node } = await start(undefined, "account");
    await open(node, 1);
    await former.process.wait([BEAT], { until: timing.now() + HOUR });
    await open(node, 2);
    await process.received([{ transferId, number: ANNA, status: "delivered" }]);
    await seen(node, 1);
    await until("the end of its time", () => node.ends.length > 1, HOUR / 4);
    assert.deepEqual(node.seen, [`happened ${ANNA} delivered`, `silent ${BEAT} `]);
    assert.deepEqual(former.node.seen, []);
  });
});
