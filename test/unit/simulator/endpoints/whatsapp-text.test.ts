import assert from "node:assert/strict";
import { bearer, postJson } from "../raw-request";
import { useSimulator } from "../use-simulator";

const DAY = 86_400_000;

describe("simulator: WhatsApp text", () => {
  let now = 1_000_000;
  const simulator = useSimulator({ clock: { now: () => now }, tokenLifetime: 1_000_000 });

  async function send(content: unknown, recipient = "+999555000001") {
    const { applicationId } = simulator.credentials;
    const value = { applicationId, recipient, ...(content === undefined ? {} : { content }) };
    const authorization = await bearer(simulator.url, "messaging:whatsapp");
    const { httpStatus, body } = await postJson(
      `${simulator.url}/messaging/whatsapp/send_text`,
      value,
      authorization,
    );
    return { httpStatus, ...(JSON.parse(body) as { statusCode: number; statusMessage: string }) };
  }

  describe("session window", () => {
    it("is closed for who never wrote", async () => {
      const answer = await send("x", "+41790000000");
      assert.deepEqual([answer.httpStatus, answer.statusCode], [400, 4400]);
      assert.match(answer.statusMessage, /: recipient: has not written/);
      assert.equal(simulator.main.messages.length, 0);
    });

    it("is always open for +99955 and +9990, and for nobody near them", async () => {
      for (const recipient of ["+99955123", "99955", "+99909123", "+999001234"]) {
        assert.equal((await send("x", recipient)).httpStatus, 201, recipient);
      }
      for (const recipient of ["+99954999", "+99956000", "+99910000", "+19995500", "+41999550"]) {
        assert.equal((await send("x", recipient)).statusCode, 4400, recipient);
      }
    });

    it("stays open for 24 hours, with plus or without, for one number", async () => {
      simulator.main.openSession("+41790000000");
      assert.deepEqual(simulator.main.sessions, [{ recipient: "41790000000", openUntil: now + DAY }]);
      now += DAY;
      assert.equal((await send("x", "41790000000")).httpStatus, 201);
      assert.equal((await send("x", "+41790000001")).statusCode, 4400);
      now += 1;
      assert.equal((await send("x", "+41790000000")).statusCode, 4400);
      assert.deepEqual(simulator.main.sessions, []);
    });

    it("opens anew, and closes with a reset", async () => {
      simulator.main.openSession("41790000000");
      now += DAY - 1;
      simulator.main.openSession("+41790000000");
      now += DAY;
      assert.equal((await send("x", "+41790000000")).httpStatus, 201);
      assert.equal(simulator.main.sessions.length, 1);
      simulator.main.reset();
      assert.equal((await send("x", "+41790000000")).statusCode, 4400);
    });

    it("is one account's own", async () => {
      simulator.account("other").openSession("+41790000000");
      assert.equal((await send("x", "+41790000000")).statusCode, 4400);
    });

    it("opens for telephone numbers only, and remembers so many", () => {
      for (const wrong of ["", "0791234567", "shop", 41790000000 as unknown as string]) {
        assert.throws(() => simulator.main.openSession(wrong), TypeError);
      }
      for (let count = 0; count < 10_001; count += 1)
        simulator.main.openSession(String(41_790_000_000 + count));
      const { sessions } = simulator.main;
      assert.deepEqual([sessions.length, sessions[0]?.recipient], [10_000, "41790000001"]);
      simulator.main.openSession("41790000001");
      simulator.main.openSession("41790000000");
      const [oldest] = simulator.main.sessions;
      assert.equal(oldest?.recipient, "41790000003");
    });
  });
});
