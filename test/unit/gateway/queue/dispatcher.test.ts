import assert from "node:assert/strict";
import type { Dispatcher } from "../../../../lib/gateway/queue/dispatcher";
import { REAL_TIMING, type Timing } from "../../../../lib/gateway/http/timing";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import { FieldError, SetupError } from "../../../../lib/shared/messaging-error";
import { sms } from "../../../support/gateway/gateway-settings";
import { brief, useGateway } from "../../../support/gateway/use-gateway";
import { answer, type FaultServer } from "../../../support/http/fault-server";
import { freePort } from "../../../support/http/free-port";
import { VirtualTiming } from "../../../support/virtual-timing";
import { waitFor } from "../../../support/wait-for";

const textsAt = ({ requests }: FaultServer): (string | undefined)[] =>
  requests.map(({ body }) => body.toString().split("messageContent=")[1]);
/** Outcome, status and number of attempts. */
const full = (verdict: Verdict): string => `${brief(verdict)} ${verdict.attempts}`;
const texts = (count: number): string[] => Array.from({ length: count }, (_none, at) => `m${at}`);

describe("gateway dispatcher", () => {
  const { serve, serveHeld, dispatch, dispatchTo, dispatchHeld } = useGateway();

  const allSent = async (submitted: readonly Promise<Verdict>[]): Promise<void> => {
    const verdicts = await Promise.all(submitted);
    assert.deepEqual([...new Set(verdicts.map(brief))], ["sent OK"]);
  };

  it("loses no message to a service that ends each connection with its answer, without a word", async () => {
    const { server, queue } = await dispatchTo(
      (socket) => socket.end(answer(200, "statusCode=2000&transferId=t-1")),
      { connections: 2 },
    );
    const verdicts = await Promise.all(texts(20).map((text) => queue.submit(sms(text))));
    assert.deepEqual([...new Set(verdicts.map(full))], ["sent OK 1"]);
    assert.equal(server.requests.length, 20);
  });

  describe("retry", () => {
    it("connects again until the port opens, and sends exactly once", async () => {
      const port = await freePort();
      const servers: FaultServer[] = [];
      const sleeps: number[] = [];
      const timing: Timing = {
        ...REAL_TIMING,
        random: () => 0.5,
        sleep: async (ms) => {
          if (sleeps.push(ms) === 2) {
            servers.push(await serve(null, { port }));
          }
        },
      };
      const { queue } = dispatch(`http://127.0.0.1:${port}`, {}, timing);
      assert.equal(full(await queue.submit(sms())), "sent OK 3");
      assert.deepEqual([sleeps, servers[0]?.requests.length], [[250, 500], 1]);
    });

    it("gives up after the account's number of attempts", async () => {
      const timing = new VirtualTiming();
      const { queue } = dispatch(`http://127.0.0.1:${await freePort()}`, { attempts: 3 }, timing);
      const submitted = queue.submit(sms());
      timing.nextRandom = 0.5;
      for (const pause of [250, 500]) {
        await waitFor("the pause", () => timing.sleeping === 1);
        await timing.advance(pause);
      }
      assert.equal(full(await submitted), "retry-later CONNECT_FAILED 3");
    });

    it("never repeats what was taken and dropped", async () => {
      const server = await serve((socket) => socket.destroy());
      assert.equal(full(await dispatch(server.url).queue.submit(sms())), "unknown CONNECTION_LOST 1");
      assert.equal(server.requests.length, 1);
    });

    it("waits as long as Retry-After says", async () => {
      const timing = new VirtualTiming();
      const { server, answerAt } = await serveHeld();
      const submitted = dispatch(server.url, {}, timing).queue.submit(sms());
      await answerAt(0, answer(429, "", { "retry-after": "7" }));
      await waitFor("the pause", () => timing.sleeping === 1);
      await timing.advance(6_999);
      assert.equal(server.requests.length, 1);
      await timing.advance(1);
      await answerAt(1);
      assert.equal(full(await submitted), "sent OK 2");
    });
  });

  describe("queue", () => {
    it("starts in the order of submitting, never more than the account's connections at once", async () => {
      const { server, answerAt, queue } = await dispatchHeld({ connections: 3 });
      const all = texts(30).map((text) => queue.submit(sms(text)));
      for (let at = 0; at < 30; at++) {
        await answerAt(at);
      }
      await allSent(all);
      // Three travel side by side, each on its own connection.
      const order = textsAt(server).map((text) => Number(text?.slice(1)));
      assert.ok(
        order.every((number, at) => Math.abs(number - at) < 3),
        order.join(" "),
      );
      assert.ok(server.mostInFlight <= 3 && server.mostSockets <= 3);
    });

    it("throws set-up and field faults at once, and never later", async () => {
      const { server, queue } = await dispatchTo(null, { legacy: null, oauth: null });
      assert.throws(() => queue.submit(sms()), SetupError);
      const other = dispatch(server.url).queue;
      assert.throws(() => other.submit({ operation: "sms-form", fields: {} }), FieldError);
      assert.throws(() => other.submit(sms("€")), { code: "TEXT_NOT_LATIN1" });
      assert.equal(server.connections, 0);
    });

    it("calls a fault of its own unknown, and does not repeat it", async () => {
      const server = await serve();
      let clocks = 0;
      const now = (): number => {
        if (++clocks === 1) {
          throw new Error("broken with p&ss/wörd+1");
        }
        return 0;
      };
      const { queue } = dispatch(server.url, {}, { ...REAL_TIMING, now });
      const verdict = await queue.submit(sms());
      assert.equal(full(verdict), "unknown INTERNAL_FAULT 1");
      assert.match(verdict.statusMessage, /broken with •••/);
      assert.equal(server.requests.length, 1);
      assert.equal((await queue.submit(sms())).outcome, "sent");
    });
  });

  describe("pace", () => {
    it("keeps to the requests per second, shared by all accounts at one origin", async () => {
      const timing = new VirtualTiming();
      const server = await serve();
      const fast = dispatch(`${server.url}/a`, { requestsPerSecond: 10 }, timing);
      const slow = dispatch(`${server.url}/b`, { requestsPerSecond: 2 }, timing);
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

    it("holds back all requests to the origin after a bare 429, for as long as the service says", async () => {
      const timing = new VirtualTiming();
      const refusal = answer(429, "slow down", { "retry-after": "30" });
      const server: FaultServer = await serve((socket) =>
        server.answered(socket, server.requests.length === 1 ? refusal : undefined),
      );
      const elsewhere = await serve();
      const first = dispatch(`${server.url}/a`, { attempts: 1 }, timing);
      const second = dispatch(`${server.url}/b`, {}, timing);
      const third = dispatch(elsewhere.url, {}, timing);
      assert.equal(full(await first.queue.submit(sms())), "retry-later HTTP_429 1");
      const waiting = second.queue.submit(sms());
      assert.equal((await third.queue.submit(sms())).outcome, "sent");
      await timing.advance(29_999);
      assert.equal(server.requests.length, 1);
      await timing.advance(1);
      assert.equal((await waiting).outcome, "sent");
      // The queue is empty.
      assert.equal((await first.queue.submit(sms())).outcome, "sent");
    });

    it("backs off for longer each time where the service does not say", async () => {
      const timing = new VirtualTiming();
      const { server, queue } = await dispatchTo(answer(200, "statusCode=4023"), { attempts: 4 }, timing);
      const submitted = queue.submit(sms());
      for (const [at, ms] of [1_000, 2_000, 4_000].entries()) {
        await waitFor("the next try", () => server.requests.length === at + 1 && timing.sleeping === 1);
        await timing.advance(ms - 1);
        assert.equal(server.requests.length, at + 1);
        await timing.advance(1);
      }
      assert.equal(full(await submitted), "retry-later THROTTLING_SPAMMING_IP 4");
    });
  });

  describe("requests of a store that wait for a connection", () => {
    /** A handle that is given these requests. @param came what becomes of each */
    function handleWith(dispatcher: Dispatcher, came: string[], names: readonly string[], onIdle = () => {}) {
      const handle = dispatcher.openForStore(onIdle);
      for (const name of names) {
        const stored = {
          mayLeave: () => true,
          holdsLease: () => true,
          onVerdict: (verdict: Verdict) => void came.push(`${name} ${brief(verdict)}`),
          putBack: (delay: number) => void came.push(`${name} back ${delay}`),
        };
        handle.start(handle.prepare(sms(name)), stored, 0);
      }
      return handle;
    }

    it("go back where messages are held, and where the handle is stopped", async () => {
      const { server, answerAt, dispatcher } = await dispatchHeld({ connections: 1 });
      const came: string[] = [];
      const handle = handleWith(dispatcher, came, ["a", "b", "c"]);
      await waitFor("the first request", () => server.requests.length === 1);
      handle.stop();
      assert.deepEqual(came, ["b back 0", "c back 0"]);
      await answerAt(0);
      await waitFor("the answer", () => came.length === 3);
      came.length = 0;
      handleWith(dispatcher, came, ["d", "e"]);
      await waitFor("the next request", () => server.requests.length === 2);
      dispatcher.paused = true;
      await answerAt(1);
      await waitFor("both", () => came.length === 2);
      assert.deepEqual(came.sort(), ["d sent OK", "e back 0"]);
      assert.equal(server.requests.length, 2);
    });
  });
});
