import assert from "node:assert/strict";
import { webhookUrl } from "../../../lib/editor/webhook/webhook-url";
import { exactRequest } from "../../support/http/exact-request";
import { RawPost } from "../../support/http/raw-post";
import { waitFor } from "../../support/wait-for";
import { inboundMessage, statusMessage } from "../../support/http/webhook-events";
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
        { id: SECOND, z: "tab", type: "webhook-in", kind, path: other, wires: [["second"], []] },
        { id: "second", z: "tab", type: "helper" },
      ],
      moreCredentials: { [SECOND]: { secret: SECRET } },
    });
  const postTo = (address: string) => post(`${address}?secret=${SECRET}`, inboundMessage());

  it("are made of the node's id, or typed with or without slashes", async () => {
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

  it("leave other paths, and other methods of theirs, to whom they belong", async () => {
    const { url, RED, untilBadge } = await start();
    RED.httpNode.get("/other", (_req, res) => res.send("other"));
    assert.equal(await (await fetch(`${url}/other`)).text(), "other");
    const answer = await fetch(url + PATH);
    assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "POST"]);
    await untilBadge(/refused \(not a POST\)/);
  });

  for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]) {
    it(`answer ${method} with 405 where nobody else does`, async () => {
      const { url, all } = await start();
      const answer = await exactRequest(url, PATH, { method });
      assert.deepEqual([answer.status, answer.headers.allow], [405, "POST"]);
      assert.deepEqual(all.messages, []);
      const unknown = await exactRequest(url, "/messaging/nobody", { method });
      assert.notEqual(unknown.status, 405, "of other paths they say nothing");
    });
  }

  for (const when of ["before", "after"] as const) {
    it(`leave other methods to the routes of others that came ${when} them`, async () => {
      const { url, RED } = await start({ webhook: { path: "/page" } });
      const app = RED.httpNode;
      const add = (): void => {
        for (const method of ["get", "put", "patch", "delete"] as const) {
          app[method](
            "/page",
            (req: { method: string; _body?: boolean }, res: { send(text: string): void }) =>
              res.send(`${req.method} ${req._body === true ? "kept from parsers" : "to be parsed"}`),
          );
        }
      };
      if (when === "after") {
        add();
      } else {
        const { stack } = (app as unknown as { _router: { stack: { name: string }[] } })._router;
        const count = stack.length;
        add();
        const start = stack.findIndex(({ name }) => name === "expressInit") + 1;
        stack.splice(start, 0, ...stack.splice(count));
      }
      const ask = async (method: string) => exactRequest(url, `/page?secret=${SECRET}`, { method });
      for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
        const { status, text } = await ask(method);
        assert.deepEqual([status, text], [200, `${method} to be parsed`]);
      }
      assert.equal((await ask("HEAD")).status, 200);
      const options = await ask("OPTIONS");
      assert.equal(options.status, 200);
      assert.match(String(options.headers.allow), /GET/);
      assert.equal((await ask("PROPFIND")).status, 405);
      assert.deepEqual(await postTo(`${url}/page`), ACKNOWLEDGED);
    });
  }

  it("leave a browser's question before a call to the CORS handler of the server", async () => {
    const { url, RED } = await start();
    RED.httpNode.options("*", (_req, res) => {
      res.set("access-control-allow-origin", "*").sendStatus(204);
    });
    const headers = { origin: "https://x.example", "access-control-request-method": "GET" };
    const answer = await exactRequest(url, PATH, { method: "OPTIONS", headers });
    assert.deepEqual([answer.status, answer.headers["access-control-allow-origin"]], [204, "*"]);
  });

  it("run httpNodeMiddleware only for what comes to them", async () => {
    const methods: string[] = [];
    const middleware = (req: { method: string }, _res: unknown, next: () => void): void => {
      methods.push(req.method);
      next();
    };
    const { url, RED } = await start({ settings: { httpNodeMiddleware: middleware } });
    RED.httpNode.get(PATH.split("?")[0]!, (_req, res) => res.send("page"));
    assert.equal((await exactRequest(url, PATH, { method: "GET" })).text, "page");
    assert.deepEqual(await post(url + PATH, inboundMessage()), ACKNOWLEDGED);
    assert.deepEqual(methods, ["POST"]);
  });

  it("belong to one node: a second one takes nothing, and says whose the path is", async () => {
    const { url, ports, log, untilBadge } = await startTwo("/shared", "shared/");
    await untilBadge(/path already in use/);
    assert.match(log("error").join(), /\/shared is already used by another webhook \('the first'\)/);
    assert.deepEqual(await postTo(`${url}/shared`), ACKNOWLEDGED);
    await ports[0]!.until(1);
  });

  it("are compared as Express does: another case, escapes or a slash make no other path", async () => {
    const { url, all, log, untilBadge } = await startTwo("/hooks/a b", "/Hooks/A%20B/");
    await untilBadge(/path already in use/);
    assert.match(log("error").join(), /\/Hooks\/A%20B is already used by another webhook \('the first'\)/);
    for (const path of ["/hooks/a%20b", "/HOOKS/A%20b/"]) {
      assert.deepEqual(await postTo(url + path), ACKNOWLEDGED);
    }
    await all.until(2);
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

  it("leave no layer behind over many deploys", async () => {
    const { RED } = await start();
    const layers = (): number =>
      (RED.httpNode as unknown as { _router: { stack: unknown[] } })._router.stack.length;
    const before = layers();
    for (let each = 0; each < 20; each++) {
      await change(`/p${each}`);
    }
    assert.equal(layers(), before);
  });

  it("are none where Node-RED serves no nodes", async () => {
    const { log, untilBadge } = await start({ settings: { httpNodeRoot: false } });
    await untilBadge(/httpNodeRoot is off/);
    assert.match(log("error").join(), /httpNodeRoot is false.*Set it to a path/);
  });

  for (const path of ["/Flows/", "/%66lows", "/Own-Admin-Route/7/"]) {
    it(`are not those of Node-RED's editor, such as ${path}`, async () => {
      const { log, untilBadge, RED, url } = await start({ webhook: { path: "/free" } });
      RED.httpAdmin.post("/own-admin-route/:id", (_req, res) => res.send("admin"));
      await change(path);
      await untilBadge(/path already in use/);
      assert.match(log("error").join(), /belongs to Node-RED's editor.*Choose another/);
      assert.equal((await postTo(`${url}/${path}`)).status, 404);
    });
  }

  const NEIGHBOURS: readonly [webhook: string, route: string][] = [
    ["/plain", "/PLAIN/"],
    ["/hooks/x", "/hooks/:id"],
    ["/grüße", "/gr%C3%BC%C3%9Fe"],
    ["/gr%c3%bc%c3%9fe", "/gr%C3%BC%C3%9Fe"],
    ["/a%20b", "/a%20b"],
    ["/a@b", "/a@b"],
  ];
  for (const [path, route] of NEIGHBOURS) {
    it(`are not those of another node: ${path}, where that has ${route}`, async () => {
      const { log, RED, url } = await start({ webhook: { path: "/free" } });
      RED.httpNode.post(route, (_req, res) => res.send("plain"));
      await change(path);
      assert.match(log("error").join(), /belongs to another node/);
      const { text } = await exactRequest(url, route.replace(":id", "x"), { body: "{}" });
      assert.equal(text, "plain");
    });
  }

  const FITTING: readonly [what: string, path: string][] = [
    ["escapes", "/hooks/gr%C3%BC%C3%9Fe%20an%20uns"],
    ["escapes in lower case", "/hooks/gr%c3%bc%c3%9fe%20an%20uns"],
    ["letters in another case", "/Hooks/GR%C3%BC%C3%9FE%20an%20UNS/"],
    ["letters that are composed of two (NFD)", "/hooks/gru%CC%88%C3%9Fe%20an%20uns"],
    ["more escapes than needed", "/%68ooks/gr%C3%BC%C3%9Fe%20an%20uns"],
    ["scheme and host before it", "http://x.example/hooks/gr%C3%BC%C3%9Fe%20an%20uns"],
  ];
  const OTHERS: readonly [what: string, path: string][] = [
    ["a plus for a space", "/hooks/gr%C3%BC%C3%9Fe+an+uns"],
    ["an escaped slash", "/hooks%2Fgr%C3%BC%C3%9Fe%20an%20uns"],
    ["escapes escaped again", "/hooks/gr%25C3%25BC%25C3%259Fe%2520an%2520uns"],
    ["escapes of Latin-1", "/hooks/gr%FC%DFe%20an%20uns"],
    ["broken escapes", "/hooks/gr%C3%BC%C3%9Fe%20an%20uns%zz"],
    ["an escaped capital of a letter beyond A to Z", "/hooks/gr%C3%9C%C3%9Fe%20an%20uns"],
  ];
  for (const path of [
    "/hooks/grüße an uns",
    "hooks/gr%C3%BC%C3%9Fe%20an uns/",
    "/hooks/gru\u0308ße an uns",
  ]) {
    it(`may hold any letters and spaces, escaped or not: ${path}`, async () => {
      const { url, all } = await start({ webhook: { path } });
      const statusAt = async (path: string) =>
        (await exactRequest(url, `${path}?secret=${SECRET}`, { body: JSON.stringify(inboundMessage()) }))
          .status;
      for (const [what, path] of FITTING) {
        assert.equal(await statusAt(path), 200, what);
      }
      for (const [what, path] of OTHERS) {
        assert.equal(await statusAt(path), 404, what);
      }
      await all.until(FITTING.length);
      const shown = webhookUrl({
        publicAddress: "",
        origin: url,
        httpNodeRoot: "/",
        path,
        nodeId: WEBHOOK,
        secret: SECRET,
      });
      assert.equal(shown, `${url}/hooks/gr%C3%BC%C3%9Fe%20an%20uns?secret=${SECRET}`);
      assert.deepEqual(await post(shown, inboundMessage()), ACKNOWLEDGED, "the address of the dialog");
    });
  }

  for (const path of ["/a?b", "/a#b", "/a\\b", "/a\tb", "/a/../b", "/a/%2e/b"]) {
    it(`that no caller could reach are refused: ${JSON.stringify(path)}`, async () => {
      const { log, untilBadge } = await start({ webhook: { path } });
      await untilBadge(/a setting is wrong/);
      assert.match(log("error").join(), /The path of the webhook must/);
    });
  }

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
