import type { QueueJob } from "../../shared/history/history";
import { button, el } from "../activity/dom";
import { texts } from "../activity/formatting";
import { channelSign, joined, line, progressBar, quiet, timeOf } from "../activity/parts";
import { channelIcon, channelName, leavesText, longTime, nodeLabel, shortTime } from "./wording";

/** What a button of a job does. */
export type JobAction = "pause" | "resume" | "cancel" | "use-address" | "send" | "save" | "discard";

const ICONS: Readonly<Record<JobAction, string>> = {
  pause: "pause",
  resume: "play",
  cancel: "times",
  "use-address": "exchange",
  send: "paper-plane-o",
  save: "download",
  discard: "trash-o",
};

function actionsOf({ stranded, elsewhere, waiting, paused }: QueueJob): readonly JobAction[] {
  if (stranded) {
    return ["send", "save", "discard"];
  }
  return [
    ...(elsewhere === "address" ? ["use-address" as const] : []),
    ...(waiting > 0 ? ["pause" as const] : []),
    ...(paused > 0 ? ["resume" as const] : []),
    ...(waiting + paused > 0 ? ["cancel" as const] : []),
  ];
}

/** A job with its progress and its buttons. @param may whether the user may do something */
export function jobRow(
  job: QueueJob,
  may: (action: JobAction) => boolean,
  act: (action: JobAction) => void,
): HTMLElement {
  const { id, channel, takenAt, node, done, requests } = job;
  const buttons = actionsOf(job).map((action) => {
    const one = button({ icon: ICONS[action], tip: texts(`queue.job.${action}`) }, () => act(action));
    one.disabled = !may(action);
    // The list is drawn anew while somebody uses it.
    one.dataset.key = `${action} ${id}`;
    return one;
  });
  return el(
    "div",
    "messaging-history-job",
    line(
      timeOf(shortTime(takenAt), longTime(takenAt)),
      channelSign(channelIcon(channel), channelName(channel)),
      el("span", "messaging-activity-who", nodeLabel(node)),
      el("span", "messaging-activity-buttons", ...buttons),
    ),
    progressBar(done, Math.max(1, requests), texts("queue.progress")),
    quiet(progressOf(job)),
    job.elsewhere === null
      ? null
      : quiet(texts(`queue.elsewhere.${job.elsewhere}`, { address: job.formerAddress ?? "" })),
  );
}

const progressOf = ({ done, requests, paused, sending, unreported, leavesAt }: QueueJob): string =>
  joined(
    texts("queue.done", { done, total: requests }),
    leavesText(leavesAt),
    unreported > 0 && texts("queue.unreported", { n: unreported }),
    sending > 0 && texts("queue.sending", { n: sending }),
    paused > 0 && texts("queue.paused", { n: paused }),
  );
