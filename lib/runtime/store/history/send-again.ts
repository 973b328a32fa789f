import type { LocalFault } from "../../../gateway/contract/local-outcomes";
import { type AgainDone, type AgainPlan, LEFT_OUT } from "../../../shared/history/history";
import { isSkipped } from "../../../shared/outcomes";
import { readUnreadable } from "../../../shared/recipients/unreadable-number";
import { billedSms } from "../../../shared/sms-segments";
import type { HistoryEntry } from "../../../store/history/history-entry";
import type { AgainEntry, RecipientPlace } from "../../../store/history/send-again";
import { operationChannel } from "../../channels/operation-channel";
import { SMS_CHANNEL } from "../../channels/sms-channel";
import type { FieldValues } from "../../fields/field-reader";
import type { AccountStore } from "../open-store";
import { type HistorySearch, readHistory } from "./history-view";
import { deliveryKind, getStatusName } from "./message-record";
import type { SendNodes } from "./queue-view";

const [MOST_SENT, MOST_LOOKED] = [10_000, 100_000];

const CANCELLED: LocalFault = "CANCELLED";

type LeftOut = (typeof LEFT_OUT)[number];

/** Null for no failure, `failed` if the store decides. */
function standing(entry: HistoryEntry, nodes: ReadonlySet<string>): LeftOut | "failed" | null {
  const { outcome, state, delivery, number, node } = entry;
  const hasFailed = delivery !== null && deliveryKind(delivery) === "failed";
  if (outcome === null || state !== "emitted") {
    return null;
  }
  if (!hasFailed && (outcome === "sent" || outcome === "queued")) {
    return null;
  }
  // A delivery report contradicts a rejected outcome.
  if (!hasFailed && (outcome === "unknown" || delivery !== null)) {
    return "unknown";
  }
  if (readUnreadable(number) !== null) {
    return "unreadable";
  }
  const name = getStatusName(entry);
  if (isSkipped(name)) {
    return "skipped";
  }
  if (name === CANCELLED) {
    return "cancelled";
  }
  return nodes.has(node) ? "failed" : "node";
}

export interface AgainAccount {
  readonly nodes: SendNodes;
  readonly destination: string;
}

/** Billed messages of one recipient. */
function countCost({ operation, content }: AgainEntry): number {
  if (content === null || operationChannel(operation) !== "sms") {
    return 1;
  }
  const values = JSON.parse(content) as FieldValues;
  return SMS_CHANNEL.isSms?.(values) ? billedSms(values) : 1;
}

/** @param failed receives entries that the store has to check; false ends the search @returns why the search ended early */
async function walk(
  place: AccountStore,
  filter: HistorySearch,
  nodes: SendNodes,
  found: (why: LeftOut) => void,
  failed: (places: readonly RecipientPlace[]) => Promise<boolean>,
): Promise<AgainPlan["more"]> {
  const present = new Set(nodes);
  let looked = 0;
  for await (const { entries } of readHistory(place, filter)) {
    const places: RecipientPlace[] = [];
    for (const entry of entries) {
      const standsAs = standing(entry, present);
      if (standsAs === "failed") {
        places.push([entry.request, entry.place]);
      } else if (standsAs !== null) {
        found(standsAs);
      }
    }
    looked += entries.length;
    if (places.length > 0 && !(await failed(places))) {
      return "count-recipients";
    }
    if (looked >= MOST_LOOKED) {
      return "looked";
    }
  }
  return null;
}

/** @throws StoreError, Busy */
export async function planAgain(
  place: AccountStore,
  filter: HistorySearch,
  { nodes, destination }: AgainAccount,
): Promise<AgainPlan> {
  const { store, account, settings } = place;
  const leftOut = Object.fromEntries(LEFT_OUT.map((why) => [why, 0])) as Record<LeftOut, number>;
  let [people, segments, mayRetry] = [0, 0, 0];
  const count = (why: LeftOut): void => {
    leftOut[why]++;
  };
  const more = await walk(place, filter, nodes, count, async (places) => {
    for (const entry of await store.again.look(account, places, destination)) {
      if (entry.why === null) {
        people++;
        mayRetry += entry.mayRetry ? 1 : 0;
        segments += countCost(entry);
      } else {
        count(entry.why);
      }
    }
    return people < MOST_SENT;
  });
  return { people, segments, mayRetry, more, leftOut, keepsTexts: settings.keepTexts };
}

/** @param most confirmed number of recipients @throws StoreError, Busy */
export async function sendAgain(
  place: AccountStore,
  filter: HistorySearch,
  { nodes, destination }: AgainAccount,
  most: number,
): Promise<AgainDone> {
  const { store, account, instances } = place;
  let people = 0;
  await walk(
    place,
    filter,
    nodes,
    () => {},
    async (places) => {
      const left = Math.min(most, MOST_SENT) - people;
      const may = (await store.again.look(account, places, destination))
        .filter(({ why }) => why === null)
        .slice(0, left);
      if (may.length > 0) {
        const chosen = may.map(({ request, place: at }): RecipientPlace => [request, at]);
        people += await store.again.take(account, chosen, destination, instances.id);
      }
      return people < Math.min(most, MOST_SENT);
    },
  );
  return { people };
}
