import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { assert as check, asyncProperty, integer, nat, record } from "fast-check";
import { Dispatcher, type QueueHandle } from "../../../../lib/gateway/queue/dispatcher";
import type { GatewaySettings } from "../../../../lib/gateway/contract/settings";
import { CancelSignal } from "../../../../lib/gateway/http/cancel-signal";
import { REAL_TIMING, type Timing } from "../../../../lib/gateway/http/timing";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import { answer, type FaultPlan, FaultServer, type SeenRequest } from "../../../support/http/fault-server";
import { freePort } from "../../../support/http/free-port";
import { VirtualTiming } from "../../../support/virtual-timing";
import { waitFor } from "../../../support/wait-for";
import { settingsFor, sms, whatsapp } from "../../../support/gateway/gateway-settings";

const TOKEN = answer(200, `{"access_token":"tok-1","token_type":"bearer","expires_in":300}`);
const brief = ({ outcome, statusName }: Verdict): string => `${outcome} ${statusName}`;
const NOT_SENT = "retry-later CLOSING";

/** What keeps the process alive now and did not before: timers and sockets among it. */
function newResources(before: readonly string[]): string[] {
  const known = [...before];
  return process.getActiveResourcesInfo().filter((name) => {
    const at = known.indexOf(name);
    return name !== "Immediate" && (at < 0 || known.splice(at, 1).length === 0);
  });
}

describe("gateway dispatcher: closing", () => {
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
  async function serveHeld(): Promise<{ server: FaultServer; held: Socket[] }> {
    const held: Socket[] = [];
    const server = await serve({ onRequest: (_request, socket) => void held.push(socket) });
    return { server, held };
  }

  it("lets what is at the service be answered, and sends nothing of what waits", async () => {
    const { server, held } = await serveHeld();
    const { dispatcher, queue } = dispatch(server.url, { connections: 2 });
    const all = ["a", "b", "c", "d"].map((text) => queue.submit(sms(text)));
    await waitFor("two requests", () => held.length === 2);
    const closing = queue.close(5_000);
    assert.deepEqual((await Promise.all(all.slice(2))).map(brief), [NOT_SENT, NOT_SENT]);
    server.answered(held[0] as Socket);
    server.answered(held[1] as Socket);
    assert.deepEqual((await Promise.all(all.slice(0, 2))).map(brief), ["sent OK", "sent OK"]);
    await closing;
    assert.equal(server.heads.length, 2);
    assert.deepEqual(dispatcher.load, { waiting: 0, underWay: 0 });
  });

  it("gives up on the answer after the grace, and not before", async () => {
    const timing = new VirtualTiming();
    const { server, held } = await serveHeld();
    const { queue } = dispatch(server.url, {}, timing);
    const submitted = queue.submit(sms());
    await waitFor("the request", () => held.length === 1);
    let over: Verdict | null = null;
    void submitted.then((verdict) => {
      over = verdict;
    });
    const closing = queue.close(10_000);
    await timing.advance(9_999);
    assert.equal(over, null);
    await timing.advance(1);
    assert.equal(brief(await submitted), "unknown STOPPED_WAITING");
    await closing;
    assert.equal(server.requests.length, 1);
  });

  it("does not wait where nothing is at the service", async () => {
    const timing = new VirtualTiming();
    const { queue, dispatcher } = dispatch((await serve()).url, {}, timing);
    await queue.close(10_000);
    await dispatcher.close(10_000);
    assert.deepEqual(timing.slept, []);
  });

  it("takes nothing more afterwards, and can be closed twice", async () => {
    const server = await serve();
    const { dispatcher, queue } = dispatch(server.url);
    const other = dispatcher.openHandle();
    await Promise.all([queue.close(1_000), queue.close(1_000)]);
    const late = await queue.submit(sms());
    assert.deepEqual([brief(late), late.attempts], [NOT_SENT, 0]);
    assert.equal((await other.submit(sms())).outcome, "sent");
    await Promise.all([dispatcher.close(1_000), dispatcher.close(0), other.close(0)]);
    assert.equal(brief(await other.submit(sms())), NOT_SENT);
    assert.equal(brief(await dispatcher.openHandle().submit(sms())), NOT_SENT);
    assert.equal(server.requests.length, 1);
  });

  it("of one queue leaves another's messages alone", async () => {
    const { server, held } = await serveHeld();
    // Far longer than this test: the connection must come free by the closing.
    const { dispatcher, queue } = dispatch(server.url, { connections: 1, answerTimeout: 60_000 });
    const other = dispatcher.openHandle();
    const mine = [queue.submit(sms("a")), queue.submit(sms("b"))];
    const theirs = [other.submit(sms("c")), other.submit(sms("d"))];
    await waitFor("the first", () => held.length === 1);
    await queue.close(0);
    assert.deepEqual((await Promise.all(mine)).map(brief), ["unknown STOPPED_WAITING", NOT_SENT]);
    for (const at of [1, 2]) {
      await waitFor("the next", () => held.length === at + 1);
      server.answered(held[at] as Socket);
    }
    assert.deepEqual((await Promise.all(theirs)).map(brief), ["sent OK", "sent OK"]);
    assert.equal(server.requests.length, 3);
  });

  it("during a pause before the next try", async () => {
    const timing = new VirtualTiming();
    const server = await serve({
      onRequest: (_request, socket) => server.answered(socket, answer(200, "statusCode=5003")),
    });
    const { dispatcher, queue } = dispatch(server.url, {}, timing);
    const submitted = queue.submit(sms());
    await waitFor("the pause", () => timing.sleeping === 1);
    await dispatcher.close(10_000);
    const verdict = await submitted;
    assert.equal(brief(verdict), NOT_SENT);
    assert.equal(verdict.attempts, 1);
    assert.deepEqual([server.requests.length, timing.sleeping], [1, 0]);
  });

  it("while waiting for its turn", async () => {
    const timing = new VirtualTiming();
    const server = await serve();
    const { dispatcher, queue } = dispatch(server.url, { requestsPerSecond: 1 }, timing);
    assert.equal((await queue.submit(sms())).outcome, "sent");
    const submitted = queue.submit(sms());
    await waitFor("the wait", () => timing.sleeping === 1);
    await dispatcher.close(10_000);
    assert.equal(brief(await submitted), NOT_SENT);
    assert.deepEqual([server.requests.length, timing.sleeping], [1, 0]);
  });

  it("while waiting for a connection", async () => {
    // Takes connections and says nothing, so that no TLS comes about.
    const server = await serve({ onConnection: (socket) => socket.resume() === socket });
    const { dispatcher, queue } = dispatch(server.url.replace("http:", "https:"), { connectTimeout: 60_000 });
    const submitted = queue.submit(sms());
    await waitFor("the connection", () => server.connections === 1);
    await dispatcher.close(60_000);
    assert.equal(brief(await submitted), NOT_SENT);
    await waitFor("its end", () => server.sockets.size === 0);
  });

  for (const end of ["handle", "dispatcher"] as const) {
    it(`of the ${end} while a token is fetched: at once, and the message is not sent with it`, async () => {
      const waiting: Socket[] = [];
      const server = await serve({ onRequest: (_request, socket) => void waiting.push(socket) });
      const { dispatcher, queue } = dispatch(server.url);
      const other = dispatcher.openHandle();
      const all = [queue.submit(whatsapp("a")), queue.submit(whatsapp("b"))];
      await waitFor("the token request", () => waiting.length === 1);
      if (end === "handle") {
        const theirs = other.submit(whatsapp("c"));
        await queue.close(60_000);
        assert.deepEqual((await Promise.all(all)).map(brief), [NOT_SENT, NOT_SENT]);
        server.answered(waiting[0] as Socket, TOKEN);
        await waitFor("the other's message", () => waiting.length === 2);
        server.answered(waiting[1] as Socket, answer(201, `{"statusCode":2000,"transferId":"t"}`));
        assert.equal((await theirs).outcome, "sent");
        assert.equal(server.requests.length, 2);
      } else {
        await dispatcher.close(60_000);
        assert.deepEqual((await Promise.all(all)).map(brief), [NOT_SENT, NOT_SENT]);
        assert.equal(server.requests.length, 1);
      }
    });
  }

  it("between a refused token and its replay", async () => {
    const waiting: Socket[] = [];
    const server = await serve({
      onRequest: (request, socket) => {
        if (request.target === "/oauth/token" && server.requests.length === 1) {
          server.answered(socket, TOKEN);
        } else if (request.target === "/oauth/token") {
          waiting.push(socket);
        } else {
          server.answered(socket, answer(401, ""));
        }
      },
    });
    const { dispatcher, queue } = dispatch(server.url);
    const submitted = queue.submit(whatsapp());
    await waitFor("the second token request", () => waiting.length === 1);
    await dispatcher.close(60_000);
    assert.equal(brief(await submitted), NOT_SENT);
    assert.equal(server.requests.length, 3);
  });

  it("at any moment around an answer never calls an answered request unsent", async () => {
    const server = await serve();
    const outcomes = new Set<string>();
    for (let depth = 0; depth < 40; depth++) {
      const before = server.requests.length;
      const handles: QueueHandle[] = [];
      let armed = true;
      const timing: Timing = {
        ...REAL_TIMING,
        // Called when the answer is judged; from there so many turns of the promise queue to the closing.
        now: () => {
          if (armed) {
            armed = false;
            let turns = Promise.resolve();
            for (let turn = 0; turn < depth; turn++) {
              turns = turns.then(() => {});
            }
            void turns.then(() => handles[0]?.close(0));
          }
          return 0;
        },
      };
      const { dispatcher, queue } = dispatch(server.url, {}, timing);
      handles.push(queue);
      const verdict = await queue.submit(sms());
      assert.equal(server.requests.length, before + 1);
      outcomes.add(brief(verdict));
      await dispatcher.close(0);
    }
    assert.deepEqual([...outcomes], ["sent OK"]);
  });

  describe("leaves nothing behind", () => {
    /** Runs a dispatcher up to its closing and looks at what is left. The server is made before. */
    async function leftBy(
      address: string,
      changed: Partial<GatewaySettings>,
      use: (queue: QueueHandle) => Promise<unknown>,
    ): Promise<void> {
      const before = process.getActiveResourcesInfo();
      const dispatcher = new Dispatcher(settingsFor(address, changed));
      const pending = use(dispatcher.openHandle());
      await waitFor("something to close", () => newResources(before).length > 0);
      await dispatcher.close(0);
      await pending;
      await waitFor(
        () => `nothing to be left, but there is ${newResources(before)}`,
        () => newResources(before).length === 0,
        3_000,
      );
    }

    it("after messages that were sent", async () => {
      const server = await serve();
      await leftBy(server.url, {}, (queue) => Promise.all([queue.submit(sms()), queue.submit(whatsapp())]));
    });

    it("after messages that were given up", async () => {
      const { server } = await serveHeld();
      await leftBy(server.url, { connections: 1 }, (queue) =>
        Promise.all([queue.submit(sms()), queue.submit(sms()), queue.submit(whatsapp())]),
      );
    });

    it("while connecting", async () => {
      const silent = createServer((socket) => socket.on("error", () => {}).resume());
      const silentPort = await new Promise<number>((resolve) => {
        silent.listen(0, "127.0.0.1", () => resolve((silent.address() as { port: number }).port));
      });
      closers.push(() => new Promise((resolve) => silent.close(resolve)));
      const slow = { connectTimeout: 60_000 };
      await leftBy(`https://127.0.0.1:${silentPort}`, slow, (queue) => queue.submit(sms()));
      const proxy = { url: `http://127.0.0.1:${silentPort}`, noProxy: [] };
      await leftBy("https://example.invalid", { ...slow, proxy }, (queue) => queue.submit(sms()));
    });

    it("during a pause before the next try", async () => {
      const port = await freePort();
      await leftBy(`http://127.0.0.1:${port}`, {}, async (queue) => queue.submit(sms()));
    });
  });

  it("comes through any storm: each batch ends once, and what the server saw is never called unsent", async function () {
    this.timeout(60_000);
    const replies = ["2000", "2001", "4002", "4023", "5003", "5000", "drop", "silence", "401", "slow"];
    const seen = new Map<string, number>();
    const server = await serve({
      onRequest: (request: SeenRequest, socket) => {
        if (request.target === "/oauth/token") {
          socket.write(TOKEN);
          return;
        }
        const text = /(?:messageContent=|"content":")([\w-]+)/.exec(request.body.toString())?.[1] ?? "";
        const reply = text.split("-")[1] ?? "";
        seen.set(text, (seen.get(text) ?? 0) + 1);
        const body = request.target.includes("simple")
          ? (code: string) => `statusCode=${code}`
          : (code: string) => `{"statusCode":${code}}`;
        if (reply === "drop") {
          socket.resetAndDestroy();
        } else if (reply === "401") {
          socket.write(answer(401, ""));
        } else if (reply === "slow") {
          setTimeout(() => socket.write(answer(200, body("2000"))), 15);
        } else if (reply !== "silence") {
          socket.write(answer(200, body(reply)));
        }
      },
    });
    let storm = 0;
    const plan = record({
      connections: integer({ min: 1, max: 3 }),
      queueLimit: nat(12),
      perSecond: nat(1),
      batches: nat(24),
      seed: nat(1_000_000),
      closeAfter: nat(30),
      grace: nat(20),
    });
    await check(
      asyncProperty(
        plan,
        async ({ connections, queueLimit, perSecond, batches, seed, closeAfter, grace }) => {
          const id = `s${storm++}`;
          let state = seed;
          const draw = (below: number): number => {
            state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
            return Math.floor((state / 2_147_483_648) * below);
          };
          const timing: Timing = {
            ...REAL_TIMING,
            // Pauses shortened, so that many tries fit in.
            sleep: (ms, gate) => REAL_TIMING.sleep(ms > 100 ? draw(5) : ms, gate),
            random: () => draw(100) / 100,
          };
          const settings = { connections, queueLimit, answerTimeout: 40, requestsPerSecond: perSecond * 500 };
          const { dispatcher } = dispatch(server.url, settings, timing);
          const handles = [
            dispatcher.openHandle(),
            dispatcher.openHandle(),
            dispatcher.openHandle(),
          ] as const;
          const results = new Map<string, Verdict[]>();
          const all: Promise<void>[] = [];
          for (let at = 0; at < batches; at++) {
            const text = `${id}x${at}-${replies[draw(replies.length)]}`;
            results.set(text, []);
            const queue = handles[draw(3)] as QueueHandle;
            const submitted = queue.submit(draw(2) === 0 ? sms(text) : whatsapp(text));
            all.push(submitted.then((verdict) => void results.get(text)?.push(verdict)));
          }
          await REAL_TIMING.sleep(closeAfter, new CancelSignal());
          await Promise.all([
            handles[draw(3)]?.close(grace),
            draw(2) === 0 ? handles[0].close(0) : undefined,
          ]);
          await dispatcher.close(grace);
          await Promise.all(all);
          assert.deepEqual(dispatcher.load, { waiting: 0, underWay: 0 });
          for (const [text, verdicts] of results) {
            assert.equal(verdicts.length, 1, text);
            const [{ outcome, statusName }] = verdicts as [Verdict];
            const times = seen.get(text) ?? 0;
            const reply = text.split("-")[1] ?? "";
            const label = `${text}: ${outcome} ${statusName}, seen ${times} times`;
            if (["2000", "2001", "slow", "drop", "silence", "5000"].includes(reply)) {
              // What may have been accepted is never offered again, by us or to the user.
              assert.ok(times <= 1, label);
              assert.ok(times === 0 || outcome !== "retry-later", label);
              assert.ok(times === 1 || outcome === "retry-later" || outcome === "unknown", label);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
