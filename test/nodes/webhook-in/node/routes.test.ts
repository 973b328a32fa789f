import assert from "node:assert/strict";
import type { NodeAPI } from "node-red";
import { webhookUrl } from "../../../../lib/editor/webhook/webhook-url";
import { exactRequest } from "../../../support/http/exact-request";
import { RawPost } from "../../../support/http/raw-post";
import { waitFor } from "../../../support/wait-for";
import { inboundMessage, statusMessage } from "../../../support/http/webhook-events";
import { ACK, ACKNOWLEDGED, PATH, post, SECRET, useWebhook, WEBHOOK, type WebhookFlow } from "./webhook-flow";

const SECOND = "n-second";

describe("paths of webhooks", () => {
  const webhook = useWebhook();
  const { start } = webhook;
  const redeploy: WebhookFlow["redeploy"] = (change) => webhook.flow.redeploy(change);
  const change = (to: string | null) =>
    redeploy((node) => (node.id !== WEBHOOK ? node : to === null ? null : { ...node, path: to }));
  /** Two webhooks that claim a path. */
  const startTwo = (path: string, other: string, kind = "inbound") =>
    start({
      webhook: { path, name: "the first" },
      more: [
        { id: SECOND, z: "tab", type: "messaging-webhook-in", kind, path: other, wires: [["second"], []] },
        { id: "second", z: "tab", type: "helper" },
      ],
      moreCredentials: { [SECOND]: { secret: SECRET } },
    });
  const postTo = (address: string) => post(`${address}?secret=${SECRET}`, inboundMessage());

  it("builds the path from the node's id, or from a path with or without slashes", async () => {
    const { url } = await start({ webhook: { path: "hooks/sms/" } });
    const answers = await Promise.all(
      ["/hooks/sms", "/hooks/sms/", "//hooks//sms", "/hooks", "/hooks/SMS", `/messaging/${WEBHOOK}`].map(
        (path) => post(`${url}${path}?secret=${SECRET}`, inboundMessage({ content: path })),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 404, 200, 404],
    );
  });

  it("refuses a second node on one path, and names the owner", async () => {
    const { url, ports, log, untilBadge } = await startTwo("/shared", "shared/");
    await untilBadge(/path already in use/);
    assert.match(log("error").join(), /\/shared is already used by another webhook \('the first'\)/);
    assert.deepEqual(await postTo(`${url}/shared`), ACKNOWLEDGED);
    await ports[0]!.until(1);
  });

  it("pass to the node that waited for them when the first one goes", async () => {
    const { url } = await startTwo("/shared", "shared", "status");
    await change(null);
    const seen = new Promise((resolve) => webhook.flow.node("second").on("input", resolve));
    assert.deepEqual(await post(`${url}/shared?secret=${SECRET}`, statusMessage()), ACKNOWLEDGED);
    await seen;
  });

  it("end with their node, and move with it", async () => {
    const { url } = await start({ webhook: { path: "/before" } });
    const at = async (path: string) => (await postTo(url + path)).status;
    assert.deepEqual([await at("/before"), await at("/after")], [200, 404]);
    await change("/after");
    assert.deepEqual([await at("/before"), await at("/after")], [404, 200]);
    await change(null);
    assert.deepEqual([await at("/before"), await at("/after")], [404, 404]);
  });

  it("reports an error when Node-RED serves no nodes", async () => {
    const { log, untilBadge } = await start({ settings: { httpNodeRoot: false } });
    await untilBadge(/httpNodeRoot is off/);
    assert.match(log("error").join(), /httpNodeRoot is false.*Set it to a path/);
  });

  it("reports an Express that cannot keep bodies unread in badge and log", async () => {
    const prepare = (RED: NodeAPI): void => {
      Object.assign(RED, { httpNode: { path: () => "/", use: () => {}, all: () => {} } });
    };
    const { log, untilBadge } = await start({ prepare });
    await untilBadge(/Express is not supported/);
    assert.match(log("error").join(), /no list of handlers in _router/);
  });

  it("passes requests with other methods to other nodes", async () => {
    const { url, RED, ports } = await start();
    assert.equal((await fetch(url + PATH)).status, 404);
    RED.httpNode.get(`/messaging/${WEBHOOK}`, (_req, res) => void res.sendStatus(202));
    assert.equal((await fetch(url + PATH)).status, 202);
    assert.equal(ports[0]!.messages.length, 0);
  });

  it("refuses a path of Node-RED's editor", async () => {
    const { log, untilBadge, url } = await start({ webhook: { path: "/free" } });
    await change("/Flows/");
    await untilBadge(/path already in use/);
    assert.match(log("error").join(), /belongs to Node-RED's editor.*Choose another/);
    assert.equal((await postTo(`${url}/Flows/`)).status, 404);
  });

  it("accepts letters and spaces in a path, escaped or not", async () => {
    const path = "hooks/gr%C3%BC%C3%9Fe an uns/";
    const { url, all } = await start({ webhook: { path } });
    const statusAt = async (path: string) => {
      const body = JSON.stringify(inboundMessage());
      return (await exactRequest(url, `${path}?secret=${SECRET}`, { body })).status;
    };
    for (const [at, status] of [
      ["/hooks/gr%C3%BC%C3%9Fe%20an%20uns", 200],
      ["/Hooks/gr%c3%bc%c3%9fe%20an%20UNS/", 200],
      ["/hooks/gru%CC%88%C3%9Fe%20an%20uns", 200],
      ["/hooks%2Fgr%C3%BC%C3%9Fe%20an%20uns", 404],
      ["/hooks/gr%25C3%25BC%25C3%259Fe%2520an%2520uns", 404],
      ["/hooks/gr%C3%BC%C3%9Fe%20an%20uns%zz", 404],
    ] as const) {
      assert.equal(await statusAt(at), status, at);
    }
    await all.until(3);
    const shown = {
      publicAddress: "",
      origin: url,
      httpNodeRoot: "/",
      path,
      nodeId: WEBHOOK,
      secret: SECRET,
    };
    assert.deepEqual(
      await post(webhookUrl(shown), inboundMessage()),
      ACKNOWLEDGED,
      "the address of the dialog",
    );
  });

  it("ask for patience while their node is stopped, and are gone when flows start without it", async () => {
    const { url, RED } = await start();
    const status = async () => (await post(url + PATH, inboundMessage())).status;
    RED.events.emit("flows:stopping", {});
    const node = webhook.flow.node(WEBHOOK) as unknown as { close(removed: boolean): Promise<void> };
    await node.close(false);
    assert.equal(await status(), 503);
    RED.events.emit("flows:started", {});
    assert.equal(await status(), 404);
  });

  it("send back what only a disabled node would get, and acknowledge what nobody asked for", async () => {
    const { url, untilBadge } = await start({
      webhook: { acknowledge: "flow", ackTimeout: 60, wires: [["n-disabled"], []] },
      more: [{ id: "n-disabled", z: "tab", type: "helper", d: true }],
    });
    assert.equal((await post(url + PATH, inboundMessage())).status, 503);
    await untilBadge(/1 to be redelivered/);
    assert.deepEqual(await post(url + PATH, "[]"), ACKNOWLEDGED);
  });

  it("run httpNodeMiddleware first, which may refuse or fail", async () => {
    const calls: string[] = [];
    const middleware = [
      (
        req: { headers: Record<string, string> },
        res: { sendStatus(code: number): void },
        next: () => void,
      ) => {
        calls.push("first");
        return req.headers["x-refuse"] ? res.sendStatus(418) : next();
      },
      (req: { headers: Record<string, string> }, _res: unknown, next: (error?: Error) => void) =>
        next(req.headers["x-fail"] ? new Error("middleware broke") : undefined),
    ];
    const { url, all, log } = await start({ settings: { httpNodeMiddleware: middleware } });
    assert.deepEqual(await post(url + PATH, inboundMessage()), ACKNOWLEDGED);
    assert.equal((await post(url + PATH, inboundMessage(), { "x-refuse": "1" })).status, 418);
    const failed = await post(url + PATH, inboundMessage(), { "x-fail": "1" });
    assert.equal(failed.status, 503);
    assert.match(log("warn").join(), /httpNodeMiddleware.*middleware broke/);
    await all.until(1);
    assert.deepEqual([calls.length, all.messages.length], [3, 1]);
  });

  it("accepts a body that was read before, and responds when it is lost", async () => {
    const read = (keep: boolean) => [
      (req: NodeJS.ReadableStream & { body?: unknown }, _res: unknown, next: () => void) => {
        const chunks: Buffer[] = [];
        req.on("data", (chunk: Buffer) => chunks.push(chunk));
        req.on("end", () => {
          if (keep) {
            req.body = JSON.parse(Buffer.concat(chunks).toString());
          }
          next();
        });
      },
    ];
    const kept = await start({ settings: { httpNodeMiddleware: read(true) } });
    assert.deepEqual(await post(kept.url + PATH, inboundMessage()), ACKNOWLEDGED);
    const [msg] = await kept.all.until(1);
    assert.deepEqual(msg!.payload, inboundMessage());
    await kept.stop();
    const lost = await start({ settings: { httpNodeMiddleware: read(false) } });
    assert.equal((await post(lost.url + PATH, inboundMessage())).status, 503);
    await lost.untilBadge(/refused \(body already consumed\)/);
  });

  it("send events back while flows stop and start, and take them after", async () => {
    const { url, RED, all } = await start();
    RED.events.emit("flows:stopping", {});
    assert.equal((await post(url + PATH, inboundMessage())).status, 503);
    RED.events.emit("flows:started", {});
    await waitFor("an open webhook", async () => (await post(url + PATH, statusMessage())).status === 200);
    await all.until(1);
    assert.ok(all.messages.every(({ payload }) => (payload as { transferId?: string }).transferId));
  });

  it("wait, on close, for what a flow still decides, and no longer than the flow can", async () => {
    const { url, all } = await start({ webhook: { acknowledge: "flow", ackTimeout: 60 }, ack: {} });
    const pending = post(url + PATH, inboundMessage());
    const [msg] = await all.until(1);
    const given = await RawPost.send(url + PATH, inboundMessage({ content: "never decided" }));
    await all.until(2);
    // Only the webhook is redeployed; the webhook-ack runs on and may still decide.
    const deployed = redeploy((node) => (node.id === WEBHOOK ? { ...node, name: "changed" } : node));
    await waitFor("the close", async () => (await post(url + PATH, statusMessage())).status === 503);
    webhook.flow.node(ACK).receive(msg);
    assert.deepEqual(await pending, ACKNOWLEDGED);
    webhook.flow.node(ACK).receive({ ...all.messages[1], error: null });
    assert.equal(await given.status(), 200);
    await deployed;
  });
});
