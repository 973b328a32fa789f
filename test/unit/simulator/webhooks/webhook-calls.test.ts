import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { type SimulatedDelivery, startSimulator } from "../../../../simulator/index";
import { until } from "../raw-request";
import { selfSigned } from "../self-signed";
import { VirtualClock } from "../virtual-clock";
import { ACKNOWLEDGE, answering, useWebhookServer, WebhookServer } from "./webhook-server";
import { useFreshSimulator } from "../use-simulator";

const GOOD = '{"statusCode":2000,"statusMessage":"OK"}';

describe("simulator: calls to a webhook", () => {
  let clock: VirtualClock;
  const webhook = useWebhookServer();
  const simulator = useFreshSimulator(() => {
    clock = new VirtualClock();
    return { clock };
  });

  /** One event to a webhook; resolves after the first try. */
  async function tryOnce(payload: unknown = { a: 1 }, url = webhook.url()): Promise<SimulatedDelivery> {
    simulator.main.registerWebhook({ kind: "inbound", url });
    simulator.main.deliver("inbound", payload);
    return tried(1);
  }

  async function tried(times: number): Promise<SimulatedDelivery> {
    await until(() => simulator.main.deliveries[0]!.tries >= times);
    return simulator.main.deliveries[0]!;
  }

  it("are JSON in UTF-8 with the headers of the webhook", async () => {
    simulator.main.registerWebhook({
      kind: "inbound",
      url: webhook.url("/a/b?c=d"),
      headers: { "X-Own": "1" },
    });
    simulator.main.deliver("inbound", { text: "Grüezi 👋" });
    await tried(1);
    const [call] = webhook.calls;
    assert.deepEqual([call?.method, call?.path, call?.headers["x-own"]], ["POST", "/a/b?c=d", "1"]);
    assert.equal(call?.headers["content-type"], "application/json;charset=UTF-8");
    assert.equal(call?.body, '{"text":"Grüezi 👋"}');
    assert.equal(call?.headers["content-length"], String(Buffer.byteLength(call?.body ?? "")));
  });

  it("carry user and password of the address", async () => {
    await tryOnce({}, webhook.url().replace("//", "//ada:a%20b@"));
    const expected = `Basic ${Buffer.from("ada:a b").toString("base64")}`;
    assert.equal(webhook.calls[0]?.headers.authorization, expected);
  });

  it("are over with the right acknowledgement", async () => {
    const { state, attempts, nextTry, tries } = await tryOnce();
    assert.deepEqual(
      { state, attempts, nextTry, tries },
      {
        state: "acknowledged",
        attempts: [{ at: clock.now(), httpStatus: 200, statusCode: 2000, problem: null }],
        nextTry: null,
        tries: 1,
      },
    );
    assert.deepEqual([simulator.main.pendingDeliveries, clock.timers], [0, 0]);
  });

  const right: Record<string, [string, string]> = {
    "more fields": ['{"statusCode":2000,"more":[1]}', "application/json"],
    "a character set": [GOOD, "application/json;charset=UTF-8"],
    "a character set after a blank": [GOOD, "Application/JSON ; charset=utf-8"],
    "blanks around it": [` \n${GOOD} `, "application/json"],
    "64 KiB": [GOOD.padEnd(65_536), "application/json"],
  };
  for (const [name, [body, type]] of Object.entries(right)) {
    it(`take an acknowledgement with ${name}`, async () => {
      webhook.answer = answering(200, body, type);
      assert.equal((await tryOnce()).state, "acknowledged");
    });
  }

  const wrong: Record<string, [number, string, string, number | null]> = {
    "another code": [200, '{"statusCode":2001}', "application/json", 2001],
    "the code as a text": [200, '{"statusCode":"2000"}', "application/json", null],
    "the code with a fraction": [200, '{"statusCode":2000.5}', "application/json", null],
    "no code": [200, '{"statusMessage":"OK"}', "application/json", null],
    "the code in a list": [200, '[{"statusCode":2000}]', "application/json", null],
    "the bare code": [200, "2000", "application/json", null],
    null: [200, "null", "application/json", null],
    "an empty body": [200, "", "application/json", null],
    "broken JSON": [200, GOOD.slice(0, -1), "application/json", null],
    "a text": [200, "OK", "text/plain", null],
    "JSON that is called HTML": [200, GOOD, "text/html", null],
    "more than 64 KiB": [200, GOOD.padEnd(65_537), "application/json", null],
    "HTTP 201": [201, GOOD, "application/json", 2000],
    "HTTP 204": [204, "", "application/json", null],
    "HTTP 302": [302, GOOD, "application/json", 2000],
    "HTTP 404": [404, GOOD, "application/json", 2000],
    "HTTP 503": [503, GOOD, "application/json", 2000],
  };
  for (const [name, [httpStatus, body, type, statusCode]] of Object.entries(wrong)) {
    it(`do not take ${name} as an acknowledgement`, async () => {
      webhook.answer = (response, call) => {
        response.setHeader("location", "/elsewhere");
        answering(httpStatus, body, type)(response, call);
      };
      const { state, attempts, nextTry } = await tryOnce();
      assert.equal(state, "waiting");
      assert.deepEqual(attempts, [{ at: clock.now(), httpStatus, statusCode, problem: "wrong-answer" }]);
      assert.equal(nextTry, clock.now() + 1000);
      assert.deepEqual([simulator.main.pendingDeliveries, webhook.calls.length], [1, 1]);
    });
  }

  it("notice a lost connection, a broken answer and an unexpected upgrade", async () => {
    const endings: ((response: ServerResponse) => void)[] = [
      (response) => response.destroy(),
      (response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
        response.write(GOOD, () => response.destroy());
      },
      (response) => {
        response.socket?.end("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
      },
    ];
    webhook.answer = (response) => endings.shift()?.(response);
    await tryOnce();
    for (const times of [2, 3]) {
      clock.next();
      await tried(times);
    }
    const { attempts } = await tried(3);
    assert.deepEqual(
      attempts.map(({ problem, httpStatus }) => [problem, httpStatus]),
      Array(3).fill(["connection", null]),
    );
  });

  it("notice that nobody listens", async () => {
    const closed = await WebhookServer.start();
    const address = closed.url();
    await closed.close();
    const { attempts } = await tryOnce({}, address);
    assert.deepEqual(attempts, [
      { at: clock.now(), httpStatus: null, statusCode: null, problem: "connection" },
    ]);
  });

  it("end after their time, whether or not an answer has begun", async () => {
    await simulator.restart({ clock, webhooks: { timeout: 30 } });
    webhook.answer = () => {};
    assert.equal((await tryOnce()).attempts[0]?.problem, "timeout");
    webhook.answer = (response) => response.writeHead(200).write("{");
    clock.next();
    assert.equal((await tried(2)).attempts[1]?.problem, "timeout");
  });

  it("have their time from the moment at which there is a connection for them", async () => {
    await simulator.restart({ clock, webhooks: { timeout: 30, connections: 1 } });
    webhook.answer = () => {};
    await tryOnce();
    simulator.main.deliver("inbound", 2);
    simulator.main.deliver("inbound", 3);
    await until(() => simulator.main.deliveries.every(({ tries }) => tries === 1));
    assert.equal(webhook.calls.length, 3);
  });

  it("do not trust a certificate that nobody vouches for", async () => {
    const secure = await WebhookServer.start(selfSigned());
    try {
      assert.equal((await tryOnce({}, secure.url())).attempts[0]?.problem, "connection");
      assert.equal(secure.calls.length, 0);
    } finally {
      await secure.close();
    }
  });

  it("come again after 1 s, 2 s, 4 s … 1 h, for 24 hours, with the same bytes", async () => {
    webhook.answer = answering(503, "");
    await tryOnce({ text: "Grüezi", nested: { b: 1, a: 2 } });
    const start = clock.now();
    const waits: number[] = [];
    for (let times = 2; simulator.main.deliveries[0]?.state === "waiting"; times += 1) {
      waits.push(clock.next() ?? 0);
      await tried(times);
    }
    const seconds = waits.map((wait) => wait / 1000);
    const doubling = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048];
    assert.deepEqual(seconds.slice(0, 12), doubling);
    assert.deepEqual([...new Set(seconds.slice(12))], [3600]);
    const total = clock.now() - start;
    assert.ok(total <= 86_400_000 && total > 82_800_000, `${total}`);
    assert.deepEqual(
      [...new Set(webhook.calls.map(({ body }) => body))],
      ['{"text":"Grüezi","nested":{"b":1,"a":2}}'],
    );
    const { state, nextTry, tries, attempts } = simulator.main.deliveries[0]!;
    assert.deepEqual([state, nextTry, tries], ["given-up", null, webhook.calls.length]);
    assert.deepEqual([attempts.length, attempts.at(-1)?.at], [20, clock.now()]);
    assert.deepEqual([simulator.main.pendingDeliveries, clock.timers], [0, 0]);
  });

  it("follow other settings", async () => {
    const webhooks = { firstRetry: 10, longestRetry: 25, giveUpAfter: 80 };
    await simulator.restart({ clock, webhooks });
    webhook.answer = answering(500, "");
    await tryOnce();
    const waits: (number | null)[] = [];
    for (const times of [2, 3, 4]) {
      waits.push(clock.next());
      await tried(times);
    }
    assert.deepEqual(waits, [10, 20, 25]);
    // 55 ms have passed; the next would be at 80, which is not too late.
    assert.equal(clock.next(), 25);
    assert.equal((await tried(5)).state, "given-up");
  });

  it("end with the first acknowledgement", async () => {
    webhook.answer = answering(503, "");
    await tryOnce();
    webhook.answer = ACKNOWLEDGE;
    clock.next();
    const { state, attempts } = await tried(2);
    assert.deepEqual(
      [state, attempts.map(({ problem }) => problem)],
      ["acknowledged", ["wrong-answer", null]],
    );
    assert.deepEqual([clock.timers, webhook.calls.length], [0, 2]);
  });

  it("are so many at a time, on connections that are used again, and each event goes out once", async () => {
    await simulator.restart({ webhooks: { connections: 3 } });
    simulator.main.registerWebhook({ kind: "inbound", url: webhook.url() });
    // Three have to be there before any of them is answered.
    const held: (() => void)[] = [];
    webhook.answer = (response, call) => {
      held.push(() => ACKNOWLEDGE(response, call));
      if (held.length === 3) for (const answer of held.splice(0)) answer();
    };
    simulator.main.receive({ sender: "+41790000001", content: "number", repeat: 201 });
    await until(() => simulator.main.pendingDeliveries === 0);
    assert.deepEqual([webhook.mostAtOnce, webhook.connections], [3, 3]);
    const texts = webhook.events.map(({ content }) => content);
    assert.deepEqual([texts.length, new Set(texts).size], [201, 201]);
  });

  it("hold ready so many and count the rest", async () => {
    await simulator.restart({ clock, webhooks: { mostPending: 5 } });
    webhook.answer = () => {};
    simulator.main.registerWebhook({ kind: "inbound", url: webhook.url() });
    simulator.main.receive({ sender: "+41790000001", repeat: 1000 });
    assert.equal(simulator.main.pendingDeliveries, 5);
    const { deliveries } = simulator.main;
    assert.deepEqual(
      deliveries.map(({ state, dropped, events }) => [state, dropped, events]),
      [...Array(5).fill(["waiting", null, 1]), ["dropped", "too-many-pending", 995]],
    );
  });

  for (const [name, value] of Object.entries({ firstRetry: 0, connections: 0, timeout: 1.5, cutEvery: -1 })) {
    it(`refuse a setting ${name} of ${value}`, async () => {
      await assert.rejects(startSimulator({ webhooks: { [name]: value } }), new RegExp(name));
    });
  }
});
