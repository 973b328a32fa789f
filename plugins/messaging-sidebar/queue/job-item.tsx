import type { QueueJob } from "../../../lib/shared/history/history";
import { joined, leavesText, texts } from "../shared/format";
import { nodeLabel } from "../shared/nodes";
import { Button, ChannelSign, Line, ProgressBar, Quiet, Time } from "../shared/parts";

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

function getActions({ stranded, elsewhere, waiting, paused }: QueueJob): readonly JobAction[] {
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

const progressText = ({ done, requests, paused, sending, unreported, leavesAt }: QueueJob): string =>
  joined(
    texts("queue.done", { done, total: requests }),
    leavesText(leavesAt),
    unreported > 0 && texts("queue.unreported", { n: unreported }),
    sending > 0 && texts("queue.sending", { n: sending }),
    paused > 0 && texts("queue.paused", { n: paused }),
  );

interface JobItemProps {
  readonly job: QueueJob;
  readonly may: (action: JobAction) => boolean;
  readonly onAction: (action: JobAction) => void;
}

/** A message in the queue with its progress and its buttons. */
export function JobItem({ job, may, onAction }: JobItemProps) {
  const { channel, takenAt, node, done, requests, elsewhere, formerAddress } = job;
  return (
    <div class="messaging-job">
      <Line>
        <Time at={takenAt} />
        <ChannelSign channel={channel} />
        <span class="messaging-who">{nodeLabel(node)}</span>
        <span class="messaging-buttons">
          {getActions(job).map((action) => (
            <Button
              key={action}
              icon={ICONS[action]}
              tip={texts(`queue.job.${action}`)}
              disabled={!may(action)}
              onPress={() => onAction(action)}
            />
          ))}
        </span>
      </Line>
      <ProgressBar done={done} total={Math.max(1, requests)} label={texts("queue.progress")} />
      <Quiet>{progressText(job)}</Quiet>
      {elsewhere !== null && (
        <Quiet>{texts(`queue.elsewhere.${elsewhere}`, { address: formerAddress ?? "" })}</Quiet>
      )}
    </div>
  );
}
