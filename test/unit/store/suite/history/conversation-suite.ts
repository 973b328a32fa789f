import assert from "node:assert/strict";
import { answerOf } from "../../../../../lib/gateway/queue/stored-content";
import { localVerdict } from "../../../../../lib/gateway/codec/verdict";
import { NO_RULES } from "../../../../../lib/store/guards/request-rules";
import type { NewRequest } from "../../../../../lib/store/jobs/jobs";
import { answered, newEvent, type OpenStore, takeJob, useFixture } from "../store-under-test";

const PERSON = "41790000001";
const HOUR = 3_600_000;

/** Texts of a person and to a person, whatever the engine of the store. */
export function conversationSuite(open: OpenStore): void {
  const { clock, keeping, me } = useFixture(open);

  const textOf = (text: string): string => JSON.stringify({ messageContent: text });

  /** Sends a text at the present time. */
  async function send(
    text: string,
    given: Partial<Parameters<typeof answered>[1]> = {},
    request: Partial<NewRequest> = {},
  ): Promise<number> {
    const [id = 0] = await takeJob(keeping, [{ recipients: [PERSON], content: textOf(text), ...request }], {
      resultOwner: me,
    });
    await keeping.claims.claim("a1", me, 10);
    await keeping.settlements.settle(me, [answered(id, { emitted: true, ...given })]);
    return id;
  }

  const write = (text: string, given: Partial<Parameters<typeof newEvent>[0]> = {}, account = "a1") =>
    keeping.deliveries.note(account, [
      newEvent({ kind: "inbound", number: PERSON, status: null, body: textOf(text), ...given }),
    ]);

  const find = (most = 100, since = 0, unsent = false) =>
    keeping.history.conversation({ account: "a1", number: PERSON, since, most, unsent });

  async function read(most = 100, since = 0, unsent = false): Promise<readonly string[]> {
    const { messages } = await find(most, since, unsent);
    return messages.map((each) => {
      const text = each.direction === "in" ? each.body : each.content;
      const said =
        text === null ? "-" : String((JSON.parse(text) as { messageContent: string }).messageContent);
      return each.direction === "in" ? `> ${said}` : `< ${said}`;
    });
  }

  describe("a conversation", () => {
    it("has what a person wrote and was sent, of one account, the newest ones in the order of time", async () => {
      await write("Hello");
      clock.pass(1_000);
      await send("Good day");
      await send("to somebody else", {}, { recipients: ["41790000002"] });
      await write("of somebody else", { number: "41790000002" });
      await write("to another account", {}, "a2");
      clock.pass(1_000);
      await write("When?");
      await send("At ten");
      assert.deepEqual(await read(), ["> Hello", "< Good day", "> When?", "< At ten"]);
      assert.deepEqual(await read(3), ["< Good day", "> When?", "< At ten"]);
      assert.deepEqual(await read(100, clock.now()), ["> When?", "< At ten"]);
      assert.deepEqual([(await find(3)).more, (await find(4)).more], [true, false]);
      const [, sent] = (await find()).messages;
      assert.deepEqual(
        [sent?.at, sent?.direction === "out" && [sent.outcome, sent.delivery, sent.place]],
        [clock.now() - 1_000, ["sent", null, 0]],
      );
    });

    it("has a message at the time at which it left, however long ago it was taken", async () => {
      const [scheduled = 0] = await takeJob(
        keeping,
        [
          {
            recipients: [PERSON],
            content: textOf("Reminder"),
            rules: { ...NO_RULES, scheduled: clock.now() + HOUR },
          },
        ],
        { resultOwner: me },
      );
      await write("Hello");
      assert.deepEqual(await read(), ["> Hello"]);
      clock.pass(2 * HOUR);
      await keeping.claims.claim("a1", me, 10);
      assert.deepEqual(await read(10, clock.now() - HOUR), ["< Reminder"], "it may have arrived");
      await keeping.settlements.settle(me, [answered(scheduled, { outcome: "unknown" })]);
      assert.deepEqual(await read(10, clock.now() - HOUR), ["< Reminder"]);
      assert.deepEqual(await read(), ["> Hello", "< Reminder"]);
    });

    it("leaves out what surely did not reach the person, unless it is asked for", async () => {
      const failed = answerOf("sms-json", localVerdict("QUEUE_FULL"), false);
      await send("refused", { outcome: "rejected" });
      await send("later", { outcome: "retry-later", answer: failed });
      await send("test", { answer: '{"test":true}' });
      await send("arrived");
      await takeJob(keeping, [{ recipients: [PERSON], content: textOf("waiting") }]);
      assert.deepEqual(await read(), ["< arrived"]);
      assert.deepEqual(await read(100, 0, true), [
        "< refused",
        "< later",
        "< test",
        "< arrived",
        "< waiting",
      ]);
    });

    it("goes with its age, and when the number is deleted", async () => {
      await write("old");
      await send("old answer");
      clock.pass(2 * HOUR);
      await write("new");
      await send("new answer");
      while (await keeping.retention.deleteOld("a1", HOUR));
      assert.deepEqual(await read(), ["> new", "< new answer"]);
      await keeping.retention.deleteNumber(PERSON);
      assert.deepEqual(await read(100, 0, true), []);
    });
  });
}
