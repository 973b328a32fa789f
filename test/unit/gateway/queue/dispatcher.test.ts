import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { Dispatcher, type QueueHandle } from "../../../../lib/gateway/queue/dispatcher";
import type { GatewaySettings } from "../../../../lib/gateway/contract/settings";
import { REAL_TIMING, type Timing } from "../../../../lib/gateway/http/timing";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import { FieldError, SetupError } from "../../../../lib/shared/messaging-error";
import { answer, type FaultPlan, FaultServer, type SeenRequest } from "../../../support/http/fault-server";
import { freePort } from "../../../support/http/free-port";
import { breathe, VirtualTiming } from "../../../support/virtual-timing";
import { waitFor } from "../../../support/wait-for";
import { settingsFor, sms } from "../../../support/gateway/gateway-settings";

const textOf = ({ body }: SeenRequest): string => body.toString().split("messageContent=")[1] ?? "";
const brief = ({ outcome, statusName, attempts }: Verdict): string => `${outcome} ${statusName} ${attempts}`;

describe("gateway dispatcher", () => {
  const closers: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) {
      await close();
    }
  });

  async function serve(plan: FaultPlan = {}): Promise<FaultServer> {
    const server = await FaultServer.start(plan);
    closers.push(() => server.close());
    return server;
  }

  function dispatch(
    address: string,
    changed: Partial<GatewaySettings> = {},
    timing: Timing = REAL_TIMING,
  ): { dispatcher: Dispatcher; queue: QueueHandle } {
    const dispatcher = new Dispatcher(settingsFor(address, changed), timing);
    closers.push(() => dispatcher.close(0));
    return { dispatcher, queue: dispatcher.openHandle() };
  }

  /** A server that keeps its requests until told. */
  async function serveHeld(): Promise<{ server: FaultServer; held: { text: string; socket: Socket }[] }> {
    const held: { text: string; socket: Socket }[] = [];
    const server = await serve({
      onRequest: (request, socket) => void held.push({ text: textOf(request), socket }),
    });
    return { server, held };
  }

  it("loses no message to a service that ends each connection with its answer, without a word", async () => {
    const server = await serve({
      onRequest: (_request, socket) => void socket.end(answer(200, "statusCode=2000&transferId=t-1")),
    });
    const { queue } = dispatch(server.url, { connections: 2 });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => queue.submit(sms())));
    assert.deepEqual([...new Set(outcomes.map(brief))], ["sent OK 1"]);
    assert.equal(server.requests.length, 20);
  });

  describe("retry", () => {
    it("connects again until the port opens, and sends exactly once", async () => {
      const port = await freePort();
      let server: FaultServer | null = null;
      const sleeps: number[] = [];
      const timing: Timing = {
        ...REAL_TIMING,
        random: () => 0.5,
        sleep: async (ms) => {
          sleeps.push(ms);
          if (sleeps.length === 2) {
            server = await serve({ port });
          }
        },
      };
      const { queue } = dispatch(`http://127.0.0.1:${port}`, {}, timing);
      assert.equal(brief(await queue.submit(sms())), "sent OK 3");
      assert.deepEqual(sleeps, [250, 500]);
      assert.equal((server as FaultServer | null)?.requests.length, 1);
    });

    it("gives up after the account's number of attempts", async () => {
      const timing = new VirtualTiming();
      const port = await freePort();
      const { queue } = dispatch(`http://127.0.0.1:${port}`, { attempts: 3 }, timing);
      const submitted = queue.submit(sms());
      timing.nextRandom = 0.5;
      for (const pause of [250, 500]) {
        await waitFor("the pause", () => timing.sleeping === 1);
        await timing.advance(pause);
      }
      assert.equal(brief(await submitted), "retry-later CONNECT_FAILED 3");
    });

    it("never repeats what was taken and dropped", async () => {
      const server = await serve({ onRequest: (_request, socket) => socket.destroy() });
      const { queue } = dispatch(server.url);
      assert.equal(brief(await queue.submit(sms())), "unknown CONNECTION_LOST 1");
      assert.equal(server.requests.length, 1);
    });

    for (const [what, bytes, expected] of [
      ["4013", answer(200, "statusCode=4013"), "retry-later MSG_LIMIT_EXCEEDED 1"],
      ["5000", answer(200, "statusCode=5000"), "unknown INTERNAL_ERROR 1"],
      ["4002", answer(200, "statusCode=4002"), "rejected INVALID_RECIPIENT 1"],
      ["a 503 alone", answer(503, ""), "unknown HTTP_503 1"],
      [
        "a too long Retry-After",
        answer(200, "statusCode=5003", { "retry-after": "61" }),
        "retry-later SERVICE_UNAVAILABLE 1",
      ],
    ] as const) {
      it(`never repeats after ${what}`, async () => {
        const server = await serve({ onRequest: (_request, socket) => void socket.write(bytes) });
        const { queue } = dispatch(server.url);
        assert.equal(brief(await queue.submit(sms())), expected);
        assert.equal(server.requests.length, 1);
      });
    }

    it("waits as long as Retry-After says", async () => {
      const timing = new VirtualTiming();
      const server = await serve({
        onRequest: (_request, socket) =>
          server.answered(
            socket,
            server.requests.length === 1 ? answer(429, "", { "retry-after": "7" }) : undefined,
          ),
      });
      const { queue } = dispatch(server.url, {}, timing);
      const submitted = queue.submit(sms());
      await waitFor("the pause", () => timing.sleeping === 1);
      await timing.advance(6_999);
      assert.equal(server.requests.length, 1);
      await timing.advance(1);
      assert.equal(brief(await submitted), "sent OK 2");
    });

    it("lets a repeated batch pass those that came after it", async () => {
      const timing = new VirtualTiming();
      const { server, held } = await serveHeld();
      const { queue } = dispatch(server.url, { connections: 1 }, timing);
      const all = ["a", "b", "c", "d"].map((text) => queue.submit(sms(text)));
      await waitFor("a", () => held.length === 1);
      server.answered(held[0]?.socket as Socket, answer(200, "statusCode=5003"));
      await waitFor("b", () => held.length === 2 && timing.sleeping === 1);
      await timing.advance(0);
      for (let at = 1; at <= 4; at++) {
        await waitFor("the next", () => held.length === at + 1);
        server.answered(held[at]?.socket as Socket);
      }
      await Promise.all(all);
      assert.deepEqual(
        held.map(({ text }) => text),
        ["a", "b", "a", "c", "d"],
      );
    });
  });

  describe("queue", () => {
    it("starts in the order of submitting, never more than the account's connections at once", async () => {
      const { server, held } = await serveHeld();
      const { queue, dispatcher } = dispatch(server.url, { connections: 3 });
      assert.equal(dispatcher.concurrency, 3);
      const texts = Array.from({ length: 30 }, (_, at) => `m${at}`);
      const all = texts.map((text) => queue.submit(sms(text)));
      assert.deepEqual(dispatcher.load, { waiting: 27, underWay: 3 });
      for (let at = 0; at < texts.length; at++) {
        await waitFor("a request", () => held.length > at);
        server.answered(held[at]?.socket as Socket);
      }
      assert.ok((await Promise.all(all)).every(({ outcome }) => outcome === "sent"));
      const order = held.map(({ text }) => Number(text.slice(1)));
      // Three travel side by side, each on its own connection.
      assert.ok(
        order.every((number, at) => Math.abs(number - at) < 3),
        order.join(" "),
      );
      assert.ok(server.mostInFlight <= 3 && server.mostSockets <= 3);
      assert.deepEqual(dispatcher.load, { waiting: 0, underWay: 0 });
    });

    it("refuses what is too much at once, sends nothing of it, and takes more when there is room", async () => {
      const { server, held } = await serveHeld();
      const { queue } = dispatch(server.url, { connections: 2, queueLimit: 3 });
      const all = Array.from({ length: 7 }, (_, at) => queue.submit(sms(`m${at}`)));
      for (const refused of await Promise.all(all.slice(5))) {
        assert.equal(brief(refused), "retry-later QUEUE_FULL 0");
        assert.deepEqual([refused.source, refused.statusCode], ["local", null]);
      }
      await waitFor("two requests", () => held.length === 2);
      server.answered(held[0]?.socket as Socket);
      await waitFor("the third", () => held.length === 3);
      all.push(queue.submit(sms("more")));
      for (let at = 1; at < 6; at++) {
        await waitFor("a request", () => held.length > at);
        server.answered(held[at]?.socket as Socket);
      }
      assert.equal((await all.at(-1))?.outcome, "sent");
      assert.equal(server.requests.length, 6);
    });

    /** Hands in as a node does: at once, or when the dispatcher asks for it. */
    function handIn(
      queue: QueueHandle,
      texts: readonly string[],
      started: string[] = [],
    ): Promise<Verdict>[] {
      return texts.map(
        (text) =>
          new Promise((resolve, reject) => {
            const start = (): void => {
              started.push(text);
              queue.submit(sms(text)).then(resolve, reject);
            };
            if (queue.crowded()) {
              queue.later(start);
            } else {
              start();
            }
          }),
      );
    }
    const texts = (count: number): string[] => Array.from({ length: count }, (_none, at) => `m${at}`);

    it("leaves unread what would wait long, and has it read in its order as others leave", async () => {
      const { server, held } = await serveHeld();
      const { queue, dispatcher } = dispatch(server.url, { connections: 1 });
      const started: string[] = [];
      const all = handIn(queue, texts(60), started);
      assert.deepEqual(started, texts(17), "one under way and sixteen ready");
      assert.deepEqual(dispatcher.load, { waiting: 59, underWay: 1 });
      for (let at = 0; at < 60; at++) {
        await waitFor("a request", () => held.length > at);
        assert.equal(started.length, Math.min(60, at + 17));
        server.answered(held[at]?.socket as Socket);
      }
      assert.ok((await Promise.all(all)).every(({ outcome }) => outcome === "sent"));
      assert.deepEqual(
        held.map(({ text }) => text),
        texts(60),
      );
      assert.deepEqual(dispatcher.load, { waiting: 0, underWay: 0 });
      assert.equal(queue.crowded(), false);
    });

    it("counts what is unread to what waits, and is not crowded where it refuses", async () => {
      const { server, held } = await serveHeld();
      const { queue, dispatcher } = dispatch(server.url, { connections: 1, queueLimit: 30 });
      const all = handIn(queue, texts(33));
      assert.deepEqual(dispatcher.load, { waiting: 30, underWay: 1 });
      assert.equal(queue.crowded(), false);
      for (const refused of await Promise.all(all.slice(31))) {
        assert.equal(brief(refused), "retry-later QUEUE_FULL 0");
      }
      for (let at = 0; at < 31; at++) {
        await waitFor("a request", () => held.length > at);
        server.answered(held[at]?.socket as Socket);
      }
      assert.ok((await Promise.all(all.slice(0, 31))).every(({ outcome }) => outcome === "sent"));
      assert.equal(server.requests.length, 31);
    });

    it("has everything unread started when its handle closes, and lets others go on", async () => {
      const { server, held } = await serveHeld();
      const { queue, dispatcher } = dispatch(server.url, { connections: 1 });
      const other = dispatcher.openHandle();
      const mine = handIn(queue, texts(40));
      const theirs = handIn(other, ["other"]);
      await waitFor("the first request", () => held.length === 1);
      const closing = queue.close(5_000);
      server.answered(held[0]?.socket as Socket);
      await closing;
      const outcomes = (await Promise.all(mine)).map(brief);
      assert.equal(outcomes[0], "sent OK 1");
      assert.deepEqual(new Set(outcomes.slice(1)), new Set(["retry-later CLOSING 0"]));
      await waitFor("the other's request", () => held.length === 2);
      server.answered(held[1]?.socket as Socket);
      assert.equal((await theirs[0])?.outcome, "sent");
      assert.deepEqual(dispatcher.load, { waiting: 0, underWay: 0 });
    });

    it("throws set-up and field faults at once, and never later", async () => {
      const server = await serve();
      const { queue } = dispatch(server.url, { legacy: null, oauth: null });
      assert.throws(() => queue.submit(sms()), SetupError);
      const other = dispatch(server.url).queue;
      assert.throws(() => other.submit({ operation: "sms-form", fields: {} }), FieldError);
      assert.throws(() => other.submit(sms("€")), { code: "TEXT_NOT_LATIN1" });
      assert.equal(server.connections, 0);
    });

    it("calls a fault of its own unknown, and does not repeat it", async () => {
      const server = await serve();
      let clocks = 0;
      const timing: Timing = {
        ...REAL_TIMING,
        now: () => {
          if (++clocks === 1) {
            throw new Error("broken with p&ss/wörd+1");
          }
          return 0;
        },
      };
      const { queue, dispatcher } = dispatch(server.url, {}, timing);
      const verdict = await queue.submit(sms());
      assert.equal(brief(verdict), "unknown INTERNAL_FAULT 1");
      assert.match(verdict.statusMessage, /broken with •••/);
      assert.equal(server.requests.length, 1);
      assert.deepEqual(dispatcher.load, { waiting: 0, underWay: 0 });
      assert.equal((await queue.submit(sms())).outcome, "sent");
    });
  });

  describe("pace", () => {
    const originPath = (server: FaultServer, path: string): string => `${server.url}${path}`;

    it("keeps to the requests per second, shared by all accounts at one origin", async () => {
      const timing = new VirtualTiming();
      const server = await serve();
      const fast = dispatch(originPath(server, "/a"), { requestsPerSecond: 10 }, timing);
      const slow = dispatch(originPath(server, "/b"), { requestsPerSecond: 2 }, timing);
      const all = ["1", "2", "3"].flatMap((text) => [fast, slow].map(({ queue }) => queue.submit(sms(text))));
      for (let sent = 1; sent <= 6; sent++) {
        await waitFor(`request ${sent}`, () => server.requests.length === sent);
        await timing.advance(499);
        assert.equal(server.requests.length, sent);
        await timing.advance(1);
      }
      await Promise.all(all);
      await slow.dispatcher.close(0);
      // The slow one has left, and with it its rate.
      const more = fast.queue.submit(sms("4"));
      const last = fast.queue.submit(sms("5"));
      await timing.advance(100);
      await Promise.all([more, last]);
    });

    for (const [title, refusal, name] of [
      ["4023", answer(200, "statusCode=4023", { "retry-after": "30" }), "THROTTLING_SPAMMING_IP"],
      ["a bare 429", answer(429, "slow down", { "retry-after": "30" }), "HTTP_429"],
    ] as const) {
      it(`holds back all requests to the origin after ${title}, for as long as the service says`, async () => {
        const timing = new VirtualTiming();
        const server = await serve({
          onRequest: (_request, socket) => {
            server.answered(socket, server.requests.length === 1 ? refusal : undefined);
          },
        });
        const elsewhere = await serve();
        const first = dispatch(originPath(server, "/a"), { attempts: 1 }, timing);
        const second = dispatch(originPath(server, "/b"), {}, timing);
        const third = dispatch(elsewhere.url, {}, timing);
        assert.equal(brief(await first.queue.submit(sms())), `retry-later ${name} 1`);
        const waiting = second.queue.submit(sms());
        assert.equal((await third.queue.submit(sms())).outcome, "sent");
        await timing.advance(29_999);
        assert.equal(server.requests.length, 1);
        await timing.advance(1);
        assert.equal((await waiting).outcome, "sent");
        // The queue is empty.
        assert.equal((await first.queue.submit(sms())).outcome, "sent");
      });
    }

    it("backs off for longer each time where the service does not say", async () => {
      const timing = new VirtualTiming();
      const server = await serve({
        onRequest: (_request, socket) => server.answered(socket, answer(200, "statusCode=4023")),
      });
      const { queue } = dispatch(server.url, { attempts: 4 }, timing);
      const submitted = queue.submit(sms());
      for (const [at, ms] of [1_000, 2_000, 4_000].entries()) {
        await waitFor("the next try", () => server.requests.length === at + 1 && timing.sleeping === 1);
        await timing.advance(ms - 1);
        assert.equal(server.requests.length, at + 1);
        await timing.advance(1);
      }
      assert.equal(brief(await submitted), "retry-later THROTTLING_SPAMMING_IP 4");
    });
  });

  it("gives a verdict its own number of attempts, however many others there were", async () => {
    const server = await serve();
    const { queue } = dispatch(server.url);
    const verdicts = await Promise.all([queue.submit(sms("a")), queue.submit(sms("b"))]);
    assert.deepEqual(verdicts.map(brief), ["sent OK 1", "sent OK 1"]);
    await breathe();
  });
});
