import assert from "node:assert/strict";
import { useSimulator } from "../../../support/simulator";

const DAY = 86_400_000;
const PHONE = "+41790000000";

describe("simulator: session window of WhatsApp text", () => {
  let now = 1_000_000;
  const sim = useSimulator({ clock: { now: () => now }, tokenLifetime: 1_000_000 });
  const codeTo = async (recipient: string) => (await sim.send("whatsapp-text", { recipient })).code;

  it("stays open for 24 hours, with plus or without, for one number", async () => {
    sim.main.openSession(PHONE);
    assert.deepEqual(sim.main.sessions, [{ recipient: "41790000000", openUntil: now + DAY }]);
    now += DAY;
    assert.equal(await codeTo("41790000000"), 2000);
    assert.equal(await codeTo("+41790000001"), 4400);
    now += 1;
    assert.equal(await codeTo(PHONE), 4400);
    assert.deepEqual(sim.main.sessions, []);
  });

  it("opens anew, and closes with a reset", async () => {
    sim.main.openSession("41790000000");
    now += DAY - 1;
    sim.main.openSession(PHONE);
    now += DAY;
    assert.equal(await codeTo(PHONE), 2000);
    assert.equal(sim.main.sessions.length, 1);
    sim.main.reset();
    assert.equal(await codeTo(PHONE), 4400);
  });
});
