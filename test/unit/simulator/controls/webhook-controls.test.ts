import assert from "node:assert/strict";
import { assertFields, pluck, until, useFreshSimulator } from "../../../support/simulator";
import { useWebhookServer } from "../../../support/simulator/webhook-server";

describe("simulator: controls of webhooks", () => {
  const sim = useFreshSimulator();
  const webhook = useWebhookServer();
  const post = (path: string, value?: unknown) => sim.control("POST", path, value);
  const remove = (path: string) => sim.control("DELETE", path);
  const shown = async (path: string, client: Pick<typeof sim, "control"> = sim) =>
    (await client.control("GET", path)).value;

  it("register, show and forget webhooks, of each account its own", async () => {
    const url = webhook.url("/?secret=s3cret");
    const registered = { kind: "inbound", label: "a", cutEvery: 3 } as const;
    const added = await post("webhooks", { ...registered, url, headers: { "x-own": "s3cret" } });
    assertFields(added, { httpStatus: 201, value: { id: 1 } });
    const masked = { url: webhook.url("/?secret=***"), headers: { "x-own": "***" } };
    assert.deepEqual(await shown("webhooks"), [{ id: 1, ...registered, ...masked, kept: false, pending: 0 }]);
    assert.deepEqual(await shown("webhooks", sim.at("b")), []);
    sim.main.registerWebhook({ kind: "status", url });
    assertFields(await remove("webhooks"), { value: { removed: 1 } });
    assert.deepEqual(pluck(sim.main.webhooks, "id"), [2]);
    assert.equal((await remove("webhooks?id=1")).httpStatus, 404);
    assert.equal((await remove("webhooks?all")).httpStatus, 400);
    assertFields(await remove("webhooks?id=2"), { value: { removed: 1 } });
    assert.deepEqual(sim.main.webhooks, []);
  });

  it("mask the secret in a send's own address, wherever it is shown", async () => {
    const notificationCallbackUrl = webhook.url("/x?a=1&secret=s3cret&b=2");
    await sim.sms(undefined, { notificationCallbackUrl, clientMessageId: "c" });
    await until(() => webhook.calls.length === 1);
    assert.equal(webhook.calls[0]?.path, "/x?a=1&secret=s3cret&b=2");
    const logs = await Promise.all(["requests", "messages", "deliveries"].map((name) => shown(name)));
    const { requests, deliveries } = sim.main;
    assert.doesNotMatch(JSON.stringify([logs, requests, deliveries]), /s3cret/);
    const { fields } = logs[1].messages[0];
    assert.equal(fields.notificationCallbackUrl, webhook.url("/x?a=1&secret=***&b=2"));
    assert.match(requests[0]?.rawBody ?? "", /secret%3D\*\*\*%26b%3D2&clientMessageId=c$/);
  });
});
