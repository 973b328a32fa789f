import { randomUUID } from "node:crypto";
import { localVerdict } from "../../../lib/gateway/codec/verdict";
import type { Outcome } from "../../../lib/shared/outcomes";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import { call } from "../../../lib/store/engine/query";
import { statement } from "../../../lib/store/schema/statement";
import { NO_GUARD } from "../../../lib/store/guards/guard-calls";
import { getScope, SIMULATOR } from "../../../lib/store/schema/scope";
import { Store } from "../../../lib/store/store";
import { answered, newEvent, takeJob } from "../../unit/store/suite/store-under-test";

/** Numbers of the filled store, by what became of their messages. */
export const PEOPLE = {
  delivered: "41791110001",
  read: "41791110002",
  refused: "41791110003",
  failed: "41791110004",
  interrupted: "41791110005",
  proved: "41791110006",
  waiting: "41791110007",
  stranded: "41791110008",
} as const;
type Person = keyof typeof PEOPLE;

/** As the store has the name of one of them. */
const NAMES: Readonly<Partial<Record<Person, string>>> = { failed: "7 Jörg Müller" };

const MINUTE = 60_000;

const SCHEDULE = statement(
  "fill_schedule",
)`UPDATE outbox SET scheduled = ?2, due = ?2 WHERE state = 'queued' AND account = ?1`;

/** A message as send nodes keep it. */
const snapshotOf = (payload: string, clientMessageId: string): string =>
  JSON.stringify({
    msg: { payload },
    operation: "sms-json",
    test: false,
    clientMessageId,
    places: { list: null, id: null },
    parts: null,
    invalid: [],
  });

const answer = (statusCode: number, statusName: string, statusMessage: string, advice: string): string =>
  JSON.stringify({
    statusCode,
    statusName,
    statusMessage,
    advice,
    fault: null,
    httpStatus: 200,
    source: "service",
    parameter: null,
    smsCount: 1,
    retry: "never",
    throttle: "none",
    stopped: null,
    retryAfter: null,
    data: null,
    test: false,
    simulated: false,
  });

const ACCEPTED = answer(
  2000,
  "OK",
  "The service accepted the request and sent it on.",
  "Nothing to do. A delivery report says whether the message arrived.",
);
const BLACKLISTED = answer(
  4031,
  "RECIPIENTS_BLACKLISTED",
  "All recipients are on the blacklist of the account.",
  "Remove the recipients from the list, or from the blacklist at the provider.",
);

/**
 * Fills the store in a folder, as a Node-RED that was killed would leave it: messages with every kind of end, a job of `waiting`
 * requests in the queue, and one of a node that does not exist.
 * @param options.leavesAt epoch ms before which none of those that wait leaves; they need not wait without it
 */
export async function fillStore(
  folder: string,
  {
    account,
    node,
    waiting = 12,
    leavesAt,
  }: {
    readonly account: string;
    readonly node: string;
    readonly waiting?: number;
    readonly leavesAt?: number;
  },
): Promise<void> {
  const { engine, release } = await shareSqlite(folder);
  let time = Date.now() - 26 * 60 * MINUTE;
  const store = new Store(engine, {
    keepTexts: true,
    clock: { now: () => time, elapsed: () => performance.now() },
  });
  const me = store.instances(randomUUID());
  await me.start();

  /** Takes a message to a person; it has left then. */
  const send = async (person: Person, channel = "SMS"): Promise<number> => {
    const operation = channel === "SMS" ? "sms-json" : "whatsapp-template";
    const [clientMessageId, content] = [`order-${person}`, '{"messageContent":"Hello"}'];
    const snapshot = snapshotOf("Hello", clientMessageId);
    const name = NAMES[person];
    const [id = 0] = await takeJob(
      store,
      [
        {
          operation,
          clientMessageId,
          content,
          recipients: [PEOPLE[person]],
          ...(name !== undefined && { person: name }),
        },
      ],
      { account, destination: SIMULATOR, node, resultOwner: me.id, channel, snapshot },
    );
    await store.claims.claim(account, me.id, 1, "", { ...NO_GUARD, destination: SIMULATOR });
    return id;
  };
  const settle = async (id: number, outcome: Outcome, transferId: string | null, given: string) => {
    time += 800;
    const settled = { ...answered(id), outcome, transferId, answer: given, emitted: true };
    await store.settlements.settle(me.id, [settled]);
  };
  const report = async (transferId: string | null, person: Person, status: string) => {
    time += 3 * MINUTE;
    const event = { key: randomUUID(), number: PEOPLE[person], transferId, at: time };
    await store.deliveries.note(getScope(account, true), [
      status === ""
        ? newEvent({ ...event, kind: "inbound", status: null })
        : newEvent({ ...event, clientMessageId: `order-${person}`, status }),
    ]);
  };

  await settle(await send("failed"), "sent", "transfer-1", ACCEPTED);
  await report("transfer-1", "failed", "failed");
  await settle(await send("refused"), "rejected", null, BLACKLISTED);
  time += 20 * 60 * MINUTE;
  await settle(await send("read", "WhatsApp"), "sent", "transfer-2", ACCEPTED);
  await report("transfer-2", "read", "delivered");
  await report("transfer-2", "read", "read");
  const { outcome, ...lost } = localVerdict("CONNECTION_LOST");
  await settle(
    await send("proved"),
    outcome,
    null,
    JSON.stringify({ ...lost, test: false, simulated: false }),
  );
  await report(null, "proved", "delivered");
  await settle(await send("delivered"), "sent", "transfer-3", ACCEPTED);
  await report("transfer-3", "delivered", "delivered");
  await report(null, "delivered", "");
  time = Date.now() - 5 * MINUTE;
  await send("interrupted");
  for (const [person, of, count] of [
    ["stranded", "a-node-that-is-gone", 3],
    ["waiting", node, waiting],
  ] as const) {
    await takeJob(
      store,
      Array.from({ length: count }, (_, part) => ({
        operation: "sms-json",
        clientMessageId: `${person}-${part}`,
        content: '{"messageContent":"Hi"}',
        recipients: [PEOPLE[person]],
      })),
      {
        account,
        destination: SIMULATOR,
        node: of,
        resultOwner: me.id,
        channel: "SMS",
        snapshot: snapshotOf("Hi", `${person}-0`),
      },
    );
  }
  if (leavesAt !== undefined) {
    await engine.run([call(SCHEDULE, account, leavesAt)]);
  }
  // So that nothing leaves while it is looked at.
  await store.queue.pause(account);
  await store.queue.park(account, [node]);
  await release();
}
