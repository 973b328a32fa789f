import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { assert as check, asyncProperty, integer, nat, record } from "fast-check";
import { Dispatcher } from "../../../../lib/gateway/queue/dispatcher";
import type { GatewaySettings } from "../../../../lib/gateway/contract/settings";
import { CancelSignal } from "../../../../lib/gateway/http/cancel-signal";
import { REAL_TIMING, type Timing } from "../../../../lib/gateway/http/timing";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import { settingsFor, sms, whatsapp } from "../../../support/gateway/gateway-settings";
import {
  brief,
  isToken,
  openHandle,
  type TestHandle,
  TOKEN,
  useGateway,
  withTokens,
} from "../../../support/gateway/use-gateway";
import { answer, type FaultServer, type SeenRequest } from "../../../support/http/fault-server";
import { freePort } from "../../../support/http/free-port";
import { VirtualTiming } from "../../../support/virtual-timing";
import { waitFor } from "../../../support/wait-for";

const NOT_SENT = "retry-later CLOSING";
const GIVEN_UP = "unknown STOPPED_WAITING";

const briefs = async (submitted: readonly Promise<Verdict>[]): Promise<string[]> =>
  (await Promise.all(submitted)).map(brief);

/** What keeps the process alive now and did not before: timers and sockets among it. */
function newResources(before: readonly string[]): string[] {
  const known = [...before];
  return process.getActiveResourcesInfo().filter((name) => {
    const at = known.indexOf(name);
    return name !== "Immediate" && (at < 0 || known.splice(at, 1).length === 0);
  });
}

describe("gateway dispatcher: closing", () => {
  const { serve, serveHeld, dispatch, dispatchTo, dispatchHeld } = useGateway();

  it("lets what is at the service be answered, and sends nothing of what waits", async () => {
    const { server, held, answerAt, dispatcher, queue } = await dispatchHeld({ connections: 2 });
    const all = ["a", "b", "c", "d"].map((text) => queue.submit(sms(text)));
    await waitFor("two requests", () => held.length === 2);
    const closing = queue.close(5_000);
    assert.deepEqual(await briefs(all.slice(2)), [NOT_SENT, NOT_SENT]);
    await answerAt(0);
    await answerAt(1);
    assert.deepEqual(await briefs(all.slice(0, 2)), ["sent OK", "sent OK"]);
    await closing;
    assert.equal(server.heads.length, 2);
    assert.deepEqual(dispatcher.load, { waiting: 0, underWay: 0 });
  });

  it("gives up on the answer after the grace, and not before", async () => {
    const timing = new VirtualTiming();
    const { server, held, queue } = await dispatchHeld({}, timing);
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
    assert.equal(brief(await submitted), GIVEN_UP);
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
    const { server, dispatcher, queue } = await dispatchTo();
    const other = openHandle(dispatcher);
    await Promise.all([queue.close(1_000), queue.close(1_000)]);
    const late = await queue.submit(sms());
    assert.deepEqual([brief(late), late.attempts], [NOT_SENT, 0]);
    assert.equal((await other.submit(sms())).outcome, "sent");
    await Promise.all([dispatcher.close(1_000), dispatcher.close(0), other.close(0)]);
    assert.equal(brief(await other.submit(sms())), NOT_SENT);
    assert.equal(brief(await openHandle(dispatcher).submit(sms())), NOT_SENT);
    assert.equal(server.requests.length, 1);
  });

  it("of one queue leaves another's messages alone", async () => {
    // Far longer than this test: the connection must come free by the closing.
    const settings = { connections: 1, answerTimeout: 60_000 };
    const { server, held, answerAt, dispatcher, queue } = await dispatchHeld(settings);
    const other = openHandle(dispatcher);
    const mine = [queue.submit(sms("a")), queue.submit(sms("b"))];
    const theirs = [other.submit(sms("c")), other.submit(sms("d"))];
    await waitFor("the first", () => held.length === 1);
    await queue.close(0);
    assert.deepEqual(await briefs(mine), [GIVEN_UP, NOT_SENT]);
    await answerAt(1);
    await answerAt(2);
    assert.deepEqual(await briefs(theirs), ["sent OK", "sent OK"]);
    assert.equal(server.requests.length, 3);
  });

  for (const [when, settings, first, attempts] of [
    ["during a pause before the next try", {}, [], 1],
    ["while waiting for its turn", { requestsPerSecond: 1 }, ["sent OK"], 0],
  ] as const) {
    it(when, async () => {
      const timing = new VirtualTiming();
      const { server, dispatcher, queue } = await dispatchTo(
        first.length === 0 ? answer(200, "statusCode=5003") : null,
        settings,
        timing,
      );
      assert.deepEqual(await briefs(first.map(() => queue.submit(sms()))), first);
      const submitted = queue.submit(sms());
      await waitFor("the pause", () => timing.sleeping === 1);
      await dispatcher.close(10_000);
      const verdict = await submitted;
      assert.deepEqual([brief(verdict), verdict.attempts], [NOT_SENT, attempts]);
      assert.deepEqual([server.requests.length, timing.sleeping], [1, 0]);
    });
  }

  it("while waiting for a connection", async () => {
    // Takes connections and says nothing, so that no TLS comes about.
    const server = await serve(null, { onConnection: (socket) => socket.resume() === socket });
    const { dispatcher, queue } = dispatch(server.url.replace("http:", "https:"), { connectTimeout: 60_000 });
    const submitted = queue.submit(sms());
    await waitFor("the connection", () => server.connections === 1);
    await dispatcher.close(60_000);
    assert.equal(brief(await submitted), NOT_SENT);
    await waitFor("its end", () => server.sockets.size === 0);
  });

  it("of the handle while a token is fetched: at once, and the message is not sent with it", async () => {
    const { server, held, answerAt, dispatcher, queue } = await dispatchHeld();
    const all = [queue.submit(whatsapp("a")), queue.submit(whatsapp("b"))];
    await waitFor("the token request", () => held.length === 1);
    const theirs = openHandle(dispatcher).submit(whatsapp("c"));
    await queue.close(60_000);
    assert.deepEqual(await briefs(all), [NOT_SENT, NOT_SENT]);
    await answerAt(0, TOKEN);
    await answerAt(1, answer(201, `{"statusCode":2000,"transferId":"t"}`));
    assert.equal((await theirs).outcome, "sent");
    assert.equal(server.requests.length, 2);
  });

  it("of the dispatcher while a token is fetched: at once, and the message is not sent with it", async () => {
    const { server, held, dispatcher, queue } = await dispatchHeld();
    const all = [queue.submit(whatsapp("a")), queue.submit(whatsapp("b"))];
    await waitFor("the token request", () => held.length === 1);
    await dispatcher.close(60_000);
    assert.deepEqual(await briefs(all), [NOT_SENT, NOT_SENT]);
    assert.equal(server.requests.length, 1);
  });

  it("between a refused token and its replay", async () => {
    const waiting: Socket[] = [];
    const server: FaultServer = await serve((socket, request) => {
      if (isToken(request) && server.requests.length > 1) {
        waiting.push(socket);
      } else {
        server.answered(socket, isToken(request) ? TOKEN : answer(401, ""));
      }
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
      const handles: TestHandle[] = [];
      let armed = true;
      // Called when the answer is judged; from there so many turns of the promise queue to the closing.
      const now = (): number => {
        if (armed) {
          armed = false;
          let turns = Promise.resolve();
          for (let turn = 0; turn < depth; turn++) {
            turns = turns.then(() => {});
          }
          void turns.then(() => handles[0]?.close(0));
        }
        return 0;
      };
      const { dispatcher, queue } = dispatch(server.url, {}, { ...REAL_TIMING, now });
      handles.push(queue);
      outcomes.add(brief(await queue.submit(sms())));
      assert.equal(server.requests.length, depth + 1);
      await dispatcher.close(0);
    }
    assert.deepEqual([...outcomes], ["sent OK"]);
  });

  describe("leaves nothing behind", () => {
    /** Runs a dispatcher up to its closing and looks at what is left. The server is made before. */
    async function leftBy(
      address: string,
      changed: Partial<GatewaySettings>,
      use: (queue: TestHandle) => Promise<unknown>,
    ): Promise<void> {
      const before = process.getActiveResourcesInfo();
      const dispatcher = new Dispatcher(settingsFor(address, changed));
      const pending = use(openHandle(dispatcher));
      await waitFor("something to close", () => newResources(before).length > 0);
      await dispatcher.close(0);
      await pending;
      await waitFor(
        () => `nothing to be left, but there is ${newResources(before)}`,
        () => newResources(before).length === 0,
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
      const { port } = await serve(null, { onConnection: (socket) => socket.resume() === socket });
      const slow = { connectTimeout: 60_000 };
      await leftBy(`https://127.0.0.1:${port}`, slow, (queue) => queue.submit(sms()));
      const proxy = { url: `http://127.0.0.1:${port}`, noProxy: [] };
      await leftBy("https://example.invalid", { ...slow, proxy }, (queue) => queue.submit(sms()));
    });

    it("during a pause before the next try", async () => {
      const port = await freePort();
      await leftBy(`http://127.0.0.1:${port}`, {}, async (queue) => queue.submit(sms()));
    });
  });

  describe("comes through any storm", () => {
    const REPLIES = ["2000", "2001", "4002", "4023", "5003", "5000", "drop", "silence", "401", "slow"];
    /** Those by which a message may have been accepted. */
    const ACCEPTING = ["2000", "2001", "slow", "drop", "silence", "5000"];
    const replyTo = (text: string): string => text.split("-")[1] ?? "";
    const seen = new Map<string, number>();

    function reply(socket: Socket, { target, body }: SeenRequest): void {
      const text = /(?:messageContent=|"content":")([\w-]+)/.exec(String(body))?.[1] ?? "";
      seen.set(text, (seen.get(text) ?? 0) + 1);
      const bytes = (code: string): string =>
        answer(200, target.includes("simple") ? `statusCode=${code}` : `{"statusCode":${code}}`);
      const asked = replyTo(text);
      const acts: Readonly<Record<string, () => unknown>> = {
        drop: () => socket.resetAndDestroy(),
        "401": () => socket.write(answer(401, "")),
        slow: () => setTimeout(() => socket.write(bytes("2000")), 15),
        silence: () => {},
      };
      (acts[asked] ?? (() => socket.write(bytes(asked))))();
    }

    const plan = record({
      connections: integer({ min: 1, max: 3 }),
      queueLimit: nat(12),
      perSecond: nat(1),
      batches: nat(24),
      seed: nat(1_000_000),
      closeAfter: nat(30),
      grace: nat(20),
    });

    it("each batch ends once, and what the server saw is never called unsent", async () => {
      const server = await serve(withTokens(reply));
      let storm = 0;
      const property = asyncProperty(plan, async (drawn) => {
        const id = `s${storm++}`;
        let state = drawn.seed;
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
        const { connections, queueLimit, perSecond, grace } = drawn;
        const settings = { connections, queueLimit, answerTimeout: 40, requestsPerSecond: perSecond * 500 };
        const { dispatcher } = dispatch(server.url, settings, timing);
        const handles = Array.from({ length: 3 }, () => openHandle(dispatcher));
        const results = new Map<string, Verdict[]>();
        const all: Promise<unknown>[] = [];
        for (let at = 0; at < drawn.batches; at++) {
          const text = `${id}x${at}-${REPLIES[draw(REPLIES.length)]}`;
          const verdicts: Verdict[] = [];
          results.set(text, verdicts);
          const queue = handles[draw(3)] as TestHandle;
          const submitted = queue.submit(draw(2) === 0 ? sms(text) : whatsapp(text));
          all.push(submitted.then((verdict) => verdicts.push(verdict)));
        }
        await REAL_TIMING.sleep(drawn.closeAfter, new CancelSignal());
        await Promise.all([handles[draw(3)]?.close(grace), draw(2) === 0 ? handles[0]?.close(0) : undefined]);
        await dispatcher.close(grace);
        await Promise.all(all);
        assert.deepEqual(dispatcher.load, { waiting: 0, underWay: 0 });
        for (const [text, verdicts] of results) {
          assert.equal(verdicts.length, 1, text);
          const [{ outcome, statusName }] = verdicts as [Verdict];
          const times = seen.get(text) ?? 0;
          if (ACCEPTING.includes(replyTo(text))) {
            // What may have been accepted is never offered again, by us or to the user.
            const label = `${text}: ${outcome} ${statusName}, seen ${times} times`;
            assert.ok(times <= 1, label);
            assert.ok(times === 0 || outcome !== "retry-later", label);
            assert.ok(times === 1 || outcome === "retry-later" || outcome === "unknown", label);
          }
        }
      });
      await check(property, { numRuns: 60 });
    });
  });
});
