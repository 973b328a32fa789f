import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { SimulatedDelivery } from "../../../../simulator/index";
import { assertFields, pluck, until, VirtualClock } from "../../../support/simulator";
import { ACKNOWLEDGE, answering, useWebhookServer } from "../../../support/simulator/webhook-server";
import { useFreshSimulator } from "../../../support/simulator/use-simulator";

const GOOD = '{"statusCode":2000,"statusMessage":"OK"}';
const JSON_TYPE = "application/json";

describe("simulator: calls to a webhook", () => {
  let clock: VirtualClock;
  const webhook = useWebhookServer();
  const sim = useFreshSimulator(() => {
    clock = new VirtualClock();
    return { clock };
  });

  /** One event to a webhook; resolves after the first try. */
  async function tryOnce(payload: unknown = { a: 1 }, url = webhook.url()): Promise<SimulatedDelivery> {
    sim.main.registerWebhook({ kind: "inbound", url });
    sim.main.deliver("inbound", payload);
    return tried(1);
  }

  async function tried(times: number): Promise<SimulatedDelivery> {
    await until(() => sim.main.deliveries[0]!.tries >= times);
    return sim.main.deliveries[0]!;
  }

  /** Lets this many more tries happen, each as soon as it is due. Returns the waits before them in ms. */
  async function retry(times: number): Promise<(number | null)[]> {
    const waits: (number | null)[] = [];
    for (let count = 0; count < times; count += 1) {
      const { tries } = sim.main.deliveries[0]!;
      waits.push(clock.next());
      await tried(tries + 1);
    }
    return waits;
  }

  it("send JSON in UTF-8 with the headers of the webhook", async () => {
    const url = webhook.url("/a/b?c=d");
    sim.main.registerWebhook({ kind: "inbound", url, headers: { "X-Own": "1" } });
    sim.main.deliver("inbound", { text: "Grüezi 👋" });
    await tried(1);
    const [call] = webhook.calls;
    assertFields(call, { method: "POST", path: "/a/b?c=d", body: '{"text":"Grüezi 👋"}' });
    const length = String(Buffer.byteLength(call?.body ?? ""));
    const type = "application/json;charset=UTF-8";
    assertFields(call?.headers, { "x-own": "1", "content-type": type, "content-length": length });
  });

  it("end with the right acknowledgement", async () => {
    const attempts = [{ at: clock.now(), httpStatus: 200, statusCode: 2000, problem: null }];
    assertFields(await tryOnce(), { state: "acknowledged", attempts, nextTry: null, tries: 1 });
    assert.deepEqual([sim.main.pendingDeliveries, clock.timers], [0, 0]);
  });
  const wrong: Record<string, [httpStatus: number, body: string, type?: string, statusCode?: number]> = {
    "another code": [200, '{"statusCode":2001}', JSON_TYPE, 2001],
    "the code as a text": [200, '{"statusCode":"2000"}'],
    "no code": [200, '{"statusMessage":"OK"}'],
    "broken JSON": [200, GOOD.slice(0, -1)],
    "a text": [200, "OK", "text/plain"],
    "JSON that is called HTML": [200, GOOD, "text/html"],
    "more than 64 KiB": [200, GOOD.padEnd(65_537)],
    "HTTP 201": [201, GOOD, JSON_TYPE, 2000],
    "HTTP 302": [302, GOOD, JSON_TYPE, 2000],
    "HTTP 503": [503, GOOD, JSON_TYPE, 2000],
  };
  for (const [name, [httpStatus, body, type, statusCode = null]] of Object.entries(wrong)) {
    it(`do not take ${name} as an acknowledgement`, async () => {
      webhook.answer = (response, call) => {
        response.setHeader("location", "/elsewhere");
        answering(httpStatus, body, type)(response, call);
      };
      const attempts = [{ at: clock.now(), httpStatus, statusCode, problem: "wrong-answer" } as const];
      assertFields(await tryOnce(), { state: "waiting", attempts, nextTry: clock.now() + 1000 });
      assert.deepEqual([sim.main.pendingDeliveries, webhook.calls.length], [1, 1]);
    });
  }

  it("notice a lost connection, a broken answer and an unexpected upgrade", async () => {
    const upgrade = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n";
    const endings: ((response: ServerResponse) => void)[] = [
      (response) => response.destroy(),
      (response) => {
        response.writeHead(200, { "content-type": JSON_TYPE, "content-length": "100" });
        response.write(GOOD, () => response.destroy());
      },
      (response) => response.socket?.end(upgrade),
    ];
    webhook.answer = (response) => endings.shift()?.(response);
    await tryOnce();
    await retry(2);
    const { attempts } = await tried(3);
    assert.deepEqual(pluck(attempts, "problem", "httpStatus"), Array(3).fill(["connection", null]));
  });

  it("end after their time, whether or not an answer has begun", async () => {
    await sim.restart({ clock, webhooks: { timeout: 30 } });
    webhook.answer = () => {};
    await tryOnce();
    webhook.answer = (response) => response.writeHead(200).write("{");
    await retry(1);
    assert.deepEqual(pluck((await tried(2)).attempts, "problem"), ["timeout", "timeout"]);
  });

  it("repeat after 1 s, 2 s, 4 s … 1 h, for 24 hours, with the same bytes", async () => {
    webhook.answer = answering(503);
    await tryOnce({ text: "Grüezi", nested: { b: 1, a: 2 } });
    const begin = clock.now();
    const seconds: number[] = [];
    while (sim.main.deliveries[0]?.state === "waiting") seconds.push(Number((await retry(1))[0]) / 1000);
    assert.deepEqual(seconds.slice(0, 12), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]);
    assert.deepEqual([...new Set(seconds.slice(12))], [3600]);
    const total = clock.now() - begin;
    assert.ok(total <= 86_400_000 && total > 82_800_000, `${total}`);
    const body = '{"text":"Grüezi","nested":{"b":1,"a":2}}';
    assert.deepEqual([...new Set(pluck(webhook.calls, "body"))], [body]);
    const [delivery] = sim.main.deliveries;
    assertFields(delivery, { state: "given-up", nextTry: null, tries: webhook.calls.length });
    assert.deepEqual([delivery?.attempts.length, delivery?.attempts.at(-1)?.at], [20, clock.now()]);
    assert.deepEqual([sim.main.pendingDeliveries, clock.timers], [0, 0]);
  });

  it("end with the first acknowledgement", async () => {
    webhook.answer = answering(503);
    await tryOnce();
    webhook.answer = ACKNOWLEDGE;
    await retry(1);
    const { state, attempts } = await tried(2);
    assert.deepEqual([state, pluck(attempts, "problem")], ["acknowledged", ["wrong-answer", null]]);
    assert.deepEqual([clock.timers, webhook.calls.length], [0, 2]);
  });

  it("run in parallel on reused connections and send each event once", async () => {
    await sim.restart({ webhooks: { connections: 3 } });
    sim.main.registerWebhook({ kind: "inbound", url: webhook.url() });
    // Three have to be there before any of them is answered.
    const held: (() => void)[] = [];
    webhook.answer = (response, call) => {
      held.push(() => ACKNOWLEDGE(response, call));
      if (held.length === 3) for (const answer of held.splice(0)) answer();
    };
    sim.main.receive({ sender: "+41790000001", content: "number", repeat: 201 });
    await sim.settled();
    assert.deepEqual([webhook.mostAtOnce, webhook.connections], [3, 3]);
    const texts = pluck(webhook.events, "content");
    assert.deepEqual([texts.length, new Set(texts).size], [201, 201]);
  });
});
