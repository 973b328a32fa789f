import assert from "node:assert/strict";
import { RawPost } from "../../support/raw-post";
import { waitFor } from "../../support/wait-for";
import { inboundMessage, statusMessage } from "../../support/webhook-events";
import {
  ACK,
  ACKNOWLEDGED,
  PATH,
  post,
  SECRET,
  startWebhookFlow,
  stopWebhookServer,
  WEBHOOK,
  type WebhookFlow,
  type WebhookFlowOptions,
} from "./webhook-flow";

const SECOND = "n-second";
const secretOf = (id: string, options: Pick<WebhookFlowOptions, "more"> = {}): WebhookFlowOptions => ({
  ...options,
  moreCredentials: { [id]: { secret: SECRET } },
});

describe("paths of webhooks", () => {
  let flow: WebhookFlow;
  const start = async (options?: WebhookFlowOptions): Promise<WebhookFlow> => {
    flow = await startWebhookFlow(options);
    return flow;
  };
  const redeploy: WebhookFlow["redeploy"] = (change) => flow.redeploy(change);
  afterEach(() => flow.stop());
  after(stopWebhookServer);

  it("are made of the node's id, or typed with or without slashes", async () => {
    const { url } = await start({ webhook: { path: "hooks/sms/" } });
    const answers = await Promise.all(
      ["/hooks/sms", "/hooks/sms/", "//hooks//sms", "/hooks", "/hooks/SMS", `/messaging/${WEBHOOK}`].map(
        (path) => post(`${url}${path}?secret=${SECRET}`, inboundMessage({ content: path })),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 404, 404, 404],
    );
  });

  it("leave other paths, and other methods of theirs, to whom they belong", async () => {
    const { url, RED } = await start();
    RED.httpNode.get("/other", (_req, res) => res.send("other"));
    assert.equal(await (await fetch(`${url}/other`)).text(), "other");
    const answer = await fetch(url + PATH);
    assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "POST"]);
  });

  it("belong to one node: a second one takes nothing, and says whose the path is", async () => {
    const { url, ports, log, untilBadge } = await start({
      webhook: { path: "/shared", name: "the first" },
      ...secretOf(SECOND, {
        more: [
          {
            id: SECOND,
            z: "tab",
            type: "webhook-in",
            kind: "inbound",
            path: "shared/",
            wires: [["second"], []],
          },
          { id: "second", z: "tab", type: "helper" },
        ],
      }),
    });
    await untilBadge(/trouble\.PATH_TAKEN/);
    assert.match(log("error").join(), /\/shared belongs to another webhook already \('the first'\)/);
    assert.deepEqual(await post(`${url}/shared?secret=${SECRET}`, inboundMessage()), ACKNOWLEDGED);
    await ports[0]!.until(1);
  });

  it("pass to the node that waited for them when the first one goes", async () => {
    const { url } = await start({
      webhook: { path: "/shared" },
      ...secretOf(SECOND, {
        more: [
          {
            id: SECOND,
            z: "tab",
            type: "webhook-in",
            kind: "status",
            path: "shared",
            wires: [["second"], []],
          },
          { id: "second", z: "tab", type: "helper" },
        ],
      }),
    });
    await redeploy((node) => (node.id === WEBHOOK ? null : node));
    const seen = new Promise((resolve) => flow.node("second").on("input", resolve));
    assert.deepEqual(await post(`${url}/shared?secret=${SECRET}`, statusMessage()), ACKNOWLEDGED);
    await seen;
  });

  it("end with their node, and move with it", async () => {
    const { url } = await start({ webhook: { path: "/before" } });
    const at = async (path: string) =>
      (await post(`${url}${path}?secret=${SECRET}`, inboundMessage())).status;
    assert.deepEqual([await at("/before"), await at("/after")], [200, 404]);
    await redeploy((node) => (node.id === WEBHOOK ? { ...node, path: "/after" } : node));
    assert.deepEqual([await at("/before"), await at("/after")], [404, 200]);
    await redeploy((node) => (node.id === WEBHOOK ? null : node));
    assert.deepEqual([await at("/before"), await at("/after")], [404, 404]);
  });

  it("leave no layer behind over many deploys", async () => {
    const { RED } = await start();
    const layers = (): number =>
      (RED.httpNode as unknown as { _router: { stack: unknown[] } })._router.stack.length;
    const before = layers();
    for (let each = 0; each < 20; each++) {
      await redeploy((node) => (node.id === WEBHOOK ? { ...node, path: `/p${each}` } : node));
    }
    assert.equal(layers(), before);
  });

  it("are none where Node-RED serves no nodes", async () => {
    const { log, untilBadge } = await start({ settings: { httpNodeRoot: false } });
    await untilBadge(/trouble\.NO_HTTP/);
    assert.match(log("error").join(), /httpNodeRoot is false.*Set it to a path/);
  });

  it("are not those of Node-RED's editor, nor those of another node", async () => {
    for (const path of ["/flows", "auth/token", "/red/x", "/own-admin-route/7"]) {
      const { log, untilBadge, RED, url } = await start({ webhook: { path: "/free" } });
      RED.httpAdmin.post("/own-admin-route/:id", (_req, res) => res.send("admin"));
      await redeploy((node) => (node.id === WEBHOOK ? { ...node, path } : node));
      await untilBadge(/trouble\.PATH_TAKEN/);
      assert.match(log("error").join(), /belongs to Node-RED's editor.*Choose another/);
      assert.equal((await post(`${url}/${path}?secret=${SECRET}`, inboundMessage())).status, 404);
      await flow.stop();
    }
    const { log, RED, url } = await start({ webhook: { path: "/free" } });
    RED.httpNode.post("/plain", (_req, res) => res.send("plain"));
    await redeploy((node) => (node.id === WEBHOOK ? { ...node, path: "/plain" } : node));
    assert.match(log("error").join(), /belongs to another node/);
    assert.equal((await post(`${url}/plain`, {})).body, "plain");
  });

  it("may hold other letters, escaped or not", async () => {
    const { url } = await start({ webhook: { path: "/über-uns/%C3%A4" } });
    const at = `${url}/${encodeURIComponent("über-uns")}/${encodeURIComponent("ä")}?secret=${SECRET}`;
    assert.deepEqual(await post(at, inboundMessage()), ACKNOWLEDGED);
  });

  it("ask for patience while their node is stopped, and are gone when flows start without it", async () => {
    const { url, RED } = await start();
    const status = async () => (await post(url + PATH, inboundMessage())).status;
    RED.events.emit("flows:stopping", {});
    const node = flow.node(WEBHOOK) as unknown as { close(removed: boolean): Promise<void> };
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
    await untilBadge(/webhook\.sentBack\{"n":1\}/);
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

  it("take a body that somebody read before, and do not hang on one that is lost", async () => {
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
    await lost.untilBadge(/refused.*body-taken/);
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
    // Only the webhook is deployed anew; the webhook-ack lives on and may still decide.
    const deployed = redeploy((node) => (node.id === WEBHOOK ? { ...node, name: "changed" } : node));
    await waitFor("the close", async () => (await post(url + PATH, statusMessage())).status === 503);
    flow.node(ACK).receive(msg as never);
    assert.deepEqual(await pending, ACKNOWLEDGED);
    flow.node(ACK).receive({ ...all.messages[1], error: null } as never);
    assert.equal(await given.status(), 200);
    await deployed;
  });
});
