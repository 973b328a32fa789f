import type { SentItem } from "../../../lib/shared/history/history";
import type { MessageRecord } from "../../../lib/shared/history/message-record";
import { isSkipped, type ShownOutcome, shownOutcome } from "../../../lib/shared/outcomes";
import { FAILED_DELIVERIES } from "../shared/delivery";
import { deliveryWord, leavesText, texts, type Tone } from "../shared/format";

const OUTCOME_TONES: Readonly<Record<ShownOutcome, Tone>> = {
  sent: "good",
  queued: "good",
  rejected: "bad",
  denied: "bad",
  "retry-later": "wait",
  unknown: "bad",
  skipped: "none",
};

/** Colour of a message: one that did not arrive is no success, whatever the response was. */
export function getTone({
  state,
  outcome,
  delivery,
  statusName,
}: Pick<MessageRecord, "state" | "outcome" | "delivery" | "statusName">): Tone {
  if (state !== "done" || outcome === null) {
    return state === "sending" ? "in" : state === "waiting" ? "none" : "wait";
  }
  return delivery !== null && FAILED_DELIVERIES.has(delivery)
    ? "bad"
    : OUTCOME_TONES[shownOutcome(outcome, statusName)];
}

/** Outcome, delivery and reason of a message in a few words, or what it waits for. */
export function getStanding(item: SentItem): readonly string[] {
  const { state, outcome, delivery, dueAt, statusName, reason } = item;
  if (state !== "done" || outcome === null) {
    return [leavesText(dueAt) ?? texts(`history.state.${state}`)];
  }
  if (isSkipped(statusName)) {
    return [texts("result.skipped"), texts(`skipped.${statusName}`)];
  }
  const delivered = delivery === null ? [] : [deliveryWord(delivery)];
  return [texts(`result.${outcome}`), ...delivered, ...(reason === null ? [] : [reason])];
}

/** Who a message is for. A text that is no number stands as it was given, with its place in the list. */
export const getRecipient = ({ recipient, name, row }: MessageRecord): string =>
  [
    ...(name === null ? [] : [`${name},`]),
    recipient === "" ? texts("history.noNumber") : recipient,
    ...(row === null ? [] : [`(${texts("history.row", { n: row })})`]),
  ].join(" ");
