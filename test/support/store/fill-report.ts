import { getScope } from "../../../lib/store/schema/scope";
import { localVerdict } from "../../../lib/gateway/codec/verdict";
import { call } from "../../../lib/store/engine/query";
import { statement } from "../../../lib/store/schema/statement";
import { answered, newEvent, takeJob } from "../../unit/store/suite/store-under-test";
import { fillStore } from "../fill-store";

const DAY = 86_400_000;
const SECOND = 1_000;

const LEFT = statement("fill_report_left")`UPDATE messages SET sent_at = ?2 WHERE id = ?1`;

/** What a day of the filled store has, of people. */
interface FilledDay {
  readonly daysAgo: number;
  readonly delivered: number;
  readonly refused?: number;
  readonly expired?: number;
  readonly lost?: number;
  readonly optedOut?: number;
  readonly replies?: number;
  readonly optOuts?: number;
}

/** Sums: 60 delivered, 4 refused, 3 expired, 2 skipped, 1 unknown, 7 replies, 2 opt-outs; two of those who have it are people of WhatsApp, who have read it. */
const DAYS: readonly FilledDay[] = [
  { daysAgo: 6, delivered: 7, replies: 1 },
  { daysAgo: 5, delivered: 12, refused: 2, optedOut: 2 },
  { daysAgo: 4, delivered: 9, expired: 1, replies: 2 },
  { daysAgo: 3, delivered: 0, lost: 1 },
  { daysAgo: 2, delivered: 14, refused: 1, expired: 2, replies: 3, optOuts: 1 },
  { daysAgo: 1, delivered: 11, refused: 1 },
  { daysAgo: 0, delivered: 7, replies: 1, optOuts: 1 },
];

const ACCEPTED = '{"statusCode":2000,"smsCount":2}';
const OPTED_OUT = '{"fault":"OPTED_OUT"}';
const BLACKLISTED = '{"statusCode":4031}';

/** Fills the store in a folder with the messages of seven days, today the last, of a node. */
export const fillReport = (folder: string, account: string, node: string): Promise<void> =>
  fillStore(folder, async ({ store, clock, me, instances }) => {
    const now = clock.time;
    // The account is simulated by now; its messages were live.
    const scope = getScope(account, true);
    let people = 0;
    const send = async (channel: string, outcome: "sent" | "rejected" | "unknown", answer: string) => {
      const number = `4179111${String(++people).padStart(4, "0")}`;
      const operation = channel === "SMS" ? "sms-json" : "whatsapp-template";
      const job = { account, node, channel, resultOwner: me };
      const [id = 0] = await takeJob(store, [{ operation, recipients: [number] }], job);
      await store.claims.claim(account, me, 1);
      const transferId = outcome === "sent" ? `report-${id}` : null;
      await store.settlements.settle(me, [answered(id, { outcome, transferId, answer, emitted: true })]);
      await store.engine.run([call(LEFT, id, clock.time)]);
      return { number, transferId };
    };
    const tell = (number: string, transferId: string | null, status: string, seconds: number) =>
      store.deliveries.note(account, [
        newEvent({ number, transferId, status, at: clock.time + seconds * SECOND }),
      ]);
    const { outcome: _unknown, ...lost } = localVerdict("CONNECTION_LOST");
    for (const { daysAgo, delivered, ...day } of DAYS) {
      clock.time = now - daysAgo * DAY;
      for (let at = 0; at < delivered; at++) {
        const channel = daysAgo === 0 && at < 2 ? "WhatsApp" : "SMS";
        const { number, transferId } = await send(channel, "sent", ACCEPTED);
        await tell(number, transferId, "delivered", 4 + at);
        if (channel === "WhatsApp") await tell(number, transferId, "read", 60);
      }
      for (let at = 0; at < (day.refused ?? 0); at++) await send("SMS", "rejected", BLACKLISTED);
      for (let at = 0; at < (day.optedOut ?? 0); at++) await send("SMS", "rejected", OPTED_OUT);
      for (let at = 0; at < (day.lost ?? 0); at++) await send("SMS", "unknown", JSON.stringify(lost));
      for (let at = 0; at < (day.expired ?? 0); at++) {
        const { number, transferId } = await send("SMS", "sent", ACCEPTED);
        await tell(number, transferId, "expired", 3_600);
      }
      for (let at = 0; at < (day.replies ?? 0); at++) {
        const number = `4179222000${at}`;
        await store.deliveries.note(scope, [newEvent({ kind: "inbound", status: null, number })]);
      }
      for (let at = 0; at < (day.optOuts ?? 0); at++) {
        await store.optOuts(scope).add([`417933300${daysAgo}${at}`], "all", "flow");
      }
    }
    clock.time = now;
    await instances.leave();
  });
