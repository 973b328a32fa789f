import assert from "node:assert/strict";
import { isSealed, SEALED } from "../../../../lib/store/schema/sealed-text";
import { statement } from "../../../../lib/store/schema/statement";
import { answered, kill, type OpenStore, takeJob, useFixture, pick } from "./store-under-test";
import { rowsOf } from "../../../../lib/store/engine/query";

const TEXT = '{"messageContent":"sealed:1:"}';
const SECRET = `${SEALED}AAAA`;
const ALL = statement("test_sealed_all")`
  SELECT r.part, r.content, s.snapshot FROM requests r LEFT JOIN snapshots s ON s.job = r.job ORDER BY r.job, r.part`;

/** What becomes of encrypted texts where texts are kept, whatever the engine of the store. */
export function sealedTextsSuite(open: OpenStore): void {
  const { engine, keeping, me } = useFixture(open);

  /** A job with a readable text, and one with an encrypted text. */
  async function takeBoth() {
    const recipients = ["1001", "1002"];
    const [plain = 0] = await takeJob(keeping, [{ content: TEXT, recipients }], {
      snapshot: TEXT,
      resultOwner: me,
    });
    const [sealed = 0] = await takeJob(keeping, [{ content: SECRET, recipients }], {
      snapshot: SECRET,
      resultOwner: me,
    });
    return { plain, sealed };
  }
  /** Contents and snapshots, of the first job and then of the second one. */
  const texts = async (): Promise<unknown[][]> => {
    const rows = await rowsOf(engine, ALL);
    return pick(rows, "content", "snapshot");
  };

  it("stay as long as a request is on its way", async () => {
    await takeBoth();
    const claimed = await keeping.claims.claim("a1", me, 10);
    assert.deepEqual(
      claimed.map(({ content }) => [content, isSealed(content)]),
      [
        [TEXT, false],
        [SECRET, true],
      ],
    );
    assert.deepEqual(await texts(), [
      [TEXT, TEXT],
      [SECRET, SECRET],
    ]);
  });

  it("go when the request is settled, and the message with its last result", async () => {
    const { plain, sealed } = await takeBoth();
    await keeping.claims.claim("a1", me, 10);
    await keeping.settlements.settle(me, [answered(plain), answered(sealed)]);
    assert.deepEqual(await texts(), [
      [TEXT, TEXT],
      [null, SECRET],
    ]);
    await keeping.settlements.emitted([plain, sealed]);
    assert.deepEqual(await texts(), [
      [TEXT, TEXT],
      [null, null],
    ]);
  });

  it("go with a result that had left while the store was away", async () => {
    const { plain, sealed } = await takeBoth();
    await keeping.claims.claim("a1", me, 10);
    const emitted = { emitted: true };
    await keeping.settlements.settle(me, [answered(plain, emitted), answered(sealed, emitted)]);
    assert.deepEqual(await texts(), [
      [TEXT, TEXT],
      [null, null],
    ]);
  });

  it("go when their sender died", async () => {
    await takeBoth();
    await keeping.claims.claim("a1", me, 10);
    await kill(engine, me);
    await keeping.recovery.settleOrphans();
    assert.deepEqual(await texts(), [
      [TEXT, TEXT],
      [null, SECRET],
    ]);
  });

  it("go with a part that is refused when the request is divided, and stay with one that waits", async () => {
    await takeBoth();
    const settled = { outcome: "rejected", answer: "{}" } as const;
    for (const request of await keeping.claims.claim("a1", me, 10)) {
      const groups = [
        { recipients: ["1001"], settled, until: null },
        { recipients: ["1002"], settled: null, until: 1 },
      ];
      assert.equal(await keeping.divisions.divide(request, "a1", me, groups, false), true);
    }
    assert.deepEqual(
      (await texts()).map(([content]) => content),
      [TEXT, TEXT, TEXT, SECRET, null, SECRET],
    );
  });

  it("go when a person lets the job go on without its node", async () => {
    await takeBoth();
    const [plain, sealed] = await keeping.recovery.openJobs("a1", {}, 0, 10);
    await keeping.queue.releaseJob(plain?.id ?? 0, "a1");
    await keeping.queue.releaseJob(sealed?.id ?? 0, "a1");
    assert.deepEqual(await texts(), [
      [TEXT, TEXT],
      [SECRET, null],
    ]);
  });
}
