import assert from "node:assert/strict";
import { useSimulator } from "../../../support/simulator";

const DAY = 86_400_000;
const PHONE = "+41790000000";

describe("simulator: session window of WhatsApp text", () => {
  let now = 1_000_000;
  const sim = useSimulator({ clock: { now: () => now }, tokenLifetime: 1_000_000 });
  const codeTo = async (recipient: string) => (await sim.send("whatsapp-text", { recipient })).code;

  it("is always open for +99955 and +9990, and for nobody near them", async () => {
    for (const recipient of ["+99955123", "99955", "+99909123", "+999001234"]) {
      assert.equal(await codeTo(recipient), 2000, recipient);
    }
    for (const recipient of ["+99954999", "+99956000", "+99910000", "+19995500", "+41999550"]) {
      assert.equal(await codeTo(recipient), 4400, recipient);
    }
  });

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

  it("is one account's own", async () => {
    sim.account("other").openSession(PHONE);
    assert.equal(await codeTo(PHONE), 4400);
  });

  it("opens for telephone numbers only, and remembers so many", () => {
    for (const wrong of ["", "0791234567", "shop", 41790000000]) {
      assert.throws(() => sim.main.openSession(wrong as string), TypeError);
    }
    for (let count = 0; count < 10_001; count += 1) sim.main.openSession(String(41_790_000_000 + count));
    const { sessions } = sim.main;
    assert.deepEqual([sessions.length, sessions[0]?.recipient], [10_000, "41790000001"]);
    sim.main.openSession("41790000001");
    sim.main.openSession("41790000000");
    assert.equal(sim.main.sessions[0]?.recipient, "41790000003");
  });
});
