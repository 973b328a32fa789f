import assert from "node:assert/strict";
import helper from "node-red-node-test-helper";
import { SECRET, useWebhook, WEBHOOK } from "./webhook-flow";

const VARIABLE = "TEST_WEBHOOK_SECRET";
const OTHER = "n-other";

describe("the secret of a webhook for its dialog", () => {
  const { start } = useWebhook();
  afterEach(() => void delete process.env[VARIABLE]);

  const ask = async (id: string, type = "application/json"): Promise<{ status: number; body: unknown }> => {
    const posted = helper.request().post(`/messaging-account/webhook-in/${id}/secret`).type(type);
    const { status, body } = await posted.send(type === "application/json" ? "{}" : "a=b");
    return { status, body };
  };

  it("returns the stored secret", async () => {
    await start();
    assert.deepEqual(await ask(WEBHOOK), { status: 200, body: { secret: SECRET, stored: SECRET } });
  });

  it("returns a variable's value beside its name", async () => {
    process.env[VARIABLE] = "from-the-environment";
    await start({ credentials: { secret: `\${${VARIABLE}}` } });
    assert.deepEqual((await ask(WEBHOOK)).body, {
      secret: "from-the-environment",
      stored: `\${${VARIABLE}}`,
    });
  });

  it("returns the secret of a disabled webhook", async () => {
    await start({ webhook: { d: true } });
    assert.deepEqual((await ask(WEBHOOK)).body, { secret: SECRET, stored: SECRET });
  });

  it("refuses other nodes, a missing secret, and a form", async () => {
    await start({
      credentials: {},
      more: [{ id: OTHER, type: "messaging-account", service: "service", keepMessages: "memory" }],
      moreCredentials: { [OTHER]: { secret: "no webhook's", password: "no webhook's" } },
    });
    assert.deepEqual((await ask(WEBHOOK)).body, { error: "no-secret" });
    assert.deepEqual((await ask(OTHER)).body, { error: "not-deployed" });
    assert.deepEqual((await ask("nothing")).body, { error: "not-deployed" });
    assert.equal((await ask(WEBHOOK, "application/x-www-form-urlencoded")).status, 400);
  });
});
