import type { QueueJob } from "../../shared/history";
import { button, el, icon } from "../activity/dom";
import { formatCount, texts } from "../activity/formatting";
import { channelIcon, leavesText, longTime, nodeLabel, shortTime } from "./wording";

/** What a button of a job does. */
export type JobAction = "pause" | "resume" | "cancel" | "send" | "save" | "discard";

const ICONS: Readonly<Record<JobAction, string>> = {
  pause: "pause",
  resume: "play",
  cancel: "times",
  send: "paper-plane-o",
  save: "download",
  discard: "trash-o",
};

function actionsOf({ stranded, waiting, paused }: QueueJob): readonly JobAction[] {
  if (stranded) {
    return ["send", "save", "discard"];
  }
  return [
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
  const when = el("span", "messaging-activity-time", shortTime(takenAt));
  when.title = longTime(takenAt);
  const buttons = actionsOf(job).map((action) => {
    const one = button({ icon: ICONS[action], tip: texts(`queue.job.${action}`) }, () => act(action));
    one.disabled = !may(action);
    // The list is drawn anew while somebody uses it.
    one.dataset.key = `${action} ${id}`;
    return one;
  });
  const sign = el("span", "messaging-activity-channel", icon(channelIcon(channel)));
  sign.title = channel;
  const bar = el("span");
  bar.style.width = `${((done / Math.max(1, requests)) * 100).toFixed(1)}%`;
  const track = el("div", "messaging-activity-track", bar);
  track.setAttribute("role", "progressbar");
  track.setAttribute("aria-label", texts("queue.progress"));
  track.setAttribute("aria-valuenow", String(Math.floor((done / Math.max(1, requests)) * 100)));
  return el(
    "div",
    "messaging-history-job",
    el(
      "div",
      "messaging-activity-line",
      when,
      sign,
      el("span", "messaging-activity-who", nodeLabel(node)),
      el("span", "messaging-activity-buttons", ...buttons),
    ),
    track,
    el("div", "messaging-history-quiet", progressOf(job)),
  );
}

function progressOf({ done, requests, paused, sending, unreported, leavesAt }: QueueJob): string {
  const leaves = leavesText(leavesAt);
  return [
    texts("queue.done", { done: formatCount(done), total: formatCount(requests) }),
    ...(leaves === null ? [] : [leaves]),
    ...(unreported > 0 ? [texts("queue.unreported", { n: formatCount(unreported) })] : []),
    ...(sending > 0 ? [texts("queue.sending", { n: formatCount(sending) })] : []),
    ...(paused > 0 ? [texts("queue.paused", { n: formatCount(paused) })] : []),
  ].join(" · ");
}
