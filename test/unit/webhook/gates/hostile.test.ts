import assert from "node:assert/strict";
import { REFUSALS } from "../../../../lib/webhook/gates/refusals";
import { GateServer } from "./gate-server";
import { ENDPOINTS } from "./hostile-requests";
import { ROWS, type Row } from "./hostile-rows";
import { sendRaw, type WireAnswer, waitForQuick } from "../raw-connection";
import { collect } from "../../../support/small-collections";
import { waitFor } from "../../../support/wait-for";

/** Rounds of the whole table over which memory must not grow. */
const ROUNDS = 20;
/** Bytes by which a heap may differ for other reasons. */
const SLACK = 1_500_000;

const isRefusal = (ending: string): ending is keyof typeof REFUSALS => ending in REFUSALS;

/** Every answer that is ours is JSON of the promised form; Node.js's own have no body. */
function checkForm({ status, headers, body }: WireAnswer, bodiless: boolean): void {
  if (headers["content-type"] === undefined) {
    assert.equal(body, "", `${status} without a type, but with a body`);
    return;
  }
  assert.equal(headers["content-type"], "application/json");
  if (bodiless) {
    assert.equal(body, "");
    return;
  }
  const value = JSON.parse(body);
  if (status === 200) {
    assert.deepEqual(value, { statusCode: 2000, statusMessage: "OK" });
  } else {
    assert.deepEqual(Object.keys(value), ["error"]);
    assert.match(value.error, /^[A-Z][^<>]+\.$/);
  }
  assert.equal(headers.allow, status === 405 ? "POST" : undefined);
}

async function play(server: GateServer, row: Row): Promise<WireAnswer[]> {
  server.clear();
  const { bytes, statuses, cut } = row;
  // Where no answer comes and nothing is cut, the server ends the connection.
  const expected = statuses.length === 0 && !cut ? 1 : statuses.length;
  const cutting = cut ? { cutWhen: () => server.requests > 0 } : {};
  const { answers } = await sendRaw(server.port, { bytes, answers: expected, ...row.sending, ...cutting });
  await waitForQuick(
    () => `${row.name} to end as ${row.endings}, not as ${server.endings}`,
    () => server.endings.length >= row.endings.length,
  );
  return answers;
}

describe("hostile requests", () => {
  let server: GateServer;

  before(async () => {
    server = await GateServer.start(ENDPOINTS);
  });
  after(() => server.stop());

  for (const row of ROWS) {
    it(`${row.name} → ${row.statuses.join(", ") || "no answer"}`, async () => {
      const answers = await play(server, row);
      const statuses = answers.map(({ status }) => status);
      assert.deepEqual([statuses, server.endings], [row.statuses, row.endings]);
      assert.equal(server.emitted.length, row.endings.filter((ending) => !isRefusal(ending)).length);
      for (const answer of answers.filter(({ status }) => status >= 200)) {
        checkForm(answer, row.sending?.bodiless === true);
      }
      assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
    });
  }

  it("are under names of their own, and meet every refusal", () => {
    assert.equal(new Set(ROWS.map(({ name }) => name)).size, ROWS.length);
    const met = new Set(ROWS.flatMap(({ endings }) => endings));
    const unmet = Object.keys(REFUSALS).filter((reason) => !met.has(reason as never));
    assert.deepEqual(unmet, ["body-taken", "stray-self-test"], "those have tests of their own");
  });

  it("leave no memory and no connection behind", async () => {
    const heap = async (): Promise<number> => {
      await waitFor("every connection to close", async () => (await server.connections()) === 0);
      server.clear();
      collect("everything");
      return process.memoryUsage().heapUsed;
    };
    const round = async (): Promise<void> => {
      for (const row of ROWS) {
        await play(server, row);
      }
    };
    await round();
    const start = await heap();
    for (let rounds = 0; rounds < ROUNDS; rounds++) {
      await round();
    }
    const growth = (await heap()) - start;
    assert.ok(growth < SLACK, `the heap grew by ${growth} bytes`);
  });
});
