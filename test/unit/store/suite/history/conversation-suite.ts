import assert from "node:assert/strict";
import { answerOf } from "../../../../../lib/gateway/queue/stored-content";
import { localVerdict } from "../../../../../lib/gateway/codec/verdict";
import { REPLY_KEY } from "../../../../../lib/shared/history/typed-reply";
import { NO_RULES } from "../../../../../lib/store/guards/request-rules";
import type { NewRequest } from "../../../../../lib/store/jobs/jobs";
import { MOST_BODY, MOST_LOOKED } from "../../../../../lib/store/history/conversation";
import { SEALED } from "../../../../../lib/store/schema/sealed-text";
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

    it("says which message somebody typed as a reply", async () => {
      await send("of a flow");
      await takeJob(keeping, [{ recipients: [PERSON], content: textOf("typed") }], {
        key: `${REPLY_KEY}abc-1`,
        resultOwner: me,
      });
      const { messages } = await find(9, 0, true);
      assert.deepEqual(
        messages.map((each) => each.direction === "out" && each.typed),
        [false, true],
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

    it("has a message of a person at the time of writing, where it came long after that", async () => {
      const written = clock.now();
      clock.pass(HOUR);
      await send("Are you there?");
      await write("Hello", { at: written });
      clock.pass(1_000);
      await write("Yes", { at: clock.now() - 5_000 });
      assert.deepEqual(
        await read(),
        ["> Hello", "< Are you there?", "> Yes"],
        "clocks may differ by seconds",
      );
      assert.deepEqual(await read(100, written + 1), ["< Are you there?", "> Yes"], "the same time counts");
      assert.deepEqual(await read(2), ["< Are you there?", "> Yes"]);
      await write("Late again", { at: written });
      assert.deepEqual(await read(1), ["> Yes"], "what came last was written first");
    });

    it("leaves out what surely did not reach the person, unless it is asked for", async () => {
      const failed = answerOf("sms-json", localVerdict("QUEUE_FULL"), false, false);
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

    it("never has the text of a sensitive message", async () => {
      const [id = 0] = await takeJob(keeping, [{ recipients: [PERSON], content: `${SEALED}AAAA` }], {
        resultOwner: me,
      });
      await keeping.claims.claim("a1", me, 10);
      assert.deepEqual(await read(), ["< -"], "while it is on its way");
      await keeping.settlements.settle(me, [answered(id, { emitted: true })]);
      assert.deepEqual(await read(), ["< -"]);
    });

    /** Messages to the person that wait. */
    const fill = (count: number, account: string): Promise<unknown> =>
      takeJob(
        keeping,
        Array.from({ length: count }, () => ({ recipients: [PERSON] })),
        { account },
      );

    it("is there however much another account sends to the number", async () => {
      await send("first");
      await fill(MOST_LOOKED + 1, "a2");
      assert.deepEqual([await read(), (await find()).more], [["< first"], false]);
    });

    it("looks at no more than the newest messages of its account, and says that there are older ones", async () => {
      await send("first");
      await fill(MOST_LOOKED - 1, "a1");
      assert.deepEqual([await read(), (await find()).more], [["< first"], false]);
      clock.pass(1_000);
      await fill(500, "a1");
      assert.deepEqual([await read(), (await find()).more], [[], true]);
      const { messages, more } = await find(MOST_LOOKED, 0, true);
      assert.deepEqual([messages.length, more], [MOST_LOOKED, true]);
      assert.equal((await find(MOST_LOOKED, clock.now(), true)).more, false, "none older in this time");
    });

    it("tells a test and what the simulator had from what was sent", async () => {
      await send("sent");
      await send("test", { answer: '{"statusCode":2000,"test":true}' });
      await send("simulated", { answer: '{"statusCode":2000,"simulated":true}' });
      await takeJob(keeping, [
        { recipients: [PERSON], content: '{"messageContent":"\\"test\\":true","test":false}' },
        { recipients: [PERSON], content: '{"messageContent":"waits","test":true}' },
      ]);
      const { messages } = await find(100, 0, true);
      assert.deepEqual(
        messages.map((each) => each.direction === "out" && [each.test, each.simulated]),
        [
          [false, false],
          [true, false],
          [false, true],
          [false, false],
          [true, false],
        ],
      );
    });

    it("has no more than the beginning of a message that is too long", async () => {
      await write("x".repeat(2 * MOST_BODY));
      const [message] = (await find()).messages;
      assert.equal(message?.direction === "in" && message.body?.length, MOST_BODY);
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
