import { useState } from "preact/hooks";
import {
  type QueueChange,
  type QueueJob,
  type QueueView as QueueData,
  READ_HISTORY,
  WRITE_QUEUE,
} from "../../../lib/shared/history/history";
import { post, save } from "../shared/api";
import { ask, durationText, failureText, joined, texts } from "../shared/format";
import { Button, Notice, Quiet } from "../shared/parts";
import { usePoll } from "../shared/use-poll";
import { useSaid } from "../shared/use-said";
import type { View, ViewProps } from "../shared/view";
import { Instances } from "./instances";
import { type JobAction, JobItem } from "./job-item";
import { SendingState } from "./sending-state";

/** The question before an action, with the label of the button that does it. */
const QUESTIONS = {
  cancel: ["queue.cancelQuestion", "queue.cancelYes"],
  discard: ["queue.discardQuestion", "queue.discardYes"],
  send: ["queue.sendQuestion", "queue.sendYes"],
  "use-address": ["queue.useAddressQuestion", "queue.useAddressYes"],
} as const;

const summaryText = ({ waiting, sending, paused, stranded }: QueueData): string =>
  joined(
    waiting > 0 && texts("queue.waiting", { n: waiting }),
    paused > 0 && texts("queue.paused", { n: paused }),
    stranded > 0 && texts("queue.stranded.count", { n: stranded }),
    sending > 0 && texts("queue.sending", { n: sending }),
  ) || texts("queue.empty");

const nextText = (nextDue: number): string =>
  texts("queue.nextDue", { time: durationText(Math.ceil(Math.max(0, nextDue) / 1_000) * 1_000) });

type AccountQueueProps = Pick<ViewProps, "account" | "isActive">;

function AccountQueue({ account, isActive }: AccountQueueProps) {
  // Last job of the page before the shown one.
  const [after, setAfter] = useState(0);
  const { data, failure, refresh } = usePoll(String(after), isActive, async () => {
    const page = await post<QueueData>(account, "queue/look", { after });
    // The jobs of this page are done: back to the first one.
    if (page.jobs.length === 0) setAfter(0);
    return page;
  });
  const { said, report } = useSaid();
  const mayChange = RED.user.hasPermission(WRITE_QUEUE);
  const may = (action: JobAction): boolean =>
    mayChange && (action !== "save" || RED.user.hasPermission(READ_HISTORY));

  const run = async (action: Promise<string>): Promise<void> => {
    await report(action);
    refresh();
  };
  /** @param job null for the whole account */
  const change = async (action: JobAction, job: number | null): Promise<string> => {
    const input = job === null ? {} : { job };
    const { requests: n } = await post<QueueChange>(account, `queue/${action}`, input);
    return texts(`queue.did.${action}`, { n });
  };
  const confirmChange = (action: keyof typeof QUESTIONS, n: number, job: number | null): void => {
    const [question, yes] = QUESTIONS[action];
    ask(texts(question, { n }), texts(yes), () => void run(change(action, job)));
  };
  const act = (action: JobAction, { id, waiting, paused }: QueueJob): void => {
    if (action === "save") {
      const saved = save(account, "queue/save", { job: id }, `messages-${id}.json`);
      void run(saved.then(() => texts("queue.did.save")));
    } else if (action === "pause" || action === "resume") {
      void run(change(action, id));
    } else {
      confirmChange(action, waiting + paused, id);
    }
  };

  const failed = <Notice said={{ text: failure === null ? "" : failureText(failure), isWrong: true }} />;
  if (data === null) {
    return failed;
  }
  const { jobs, strandedJobs, waiting, paused, stranded, nextDue, next } = data;
  const strandedIds = new Set(strandedJobs.map(({ id }) => id));
  const others = jobs.filter((job) => !job.stranded && !strandedIds.has(job.id));
  const items = (list: readonly QueueJob[]) =>
    list.map((job) => <JobItem key={job.id} job={job} may={may} onAction={(action) => act(action, job)} />);
  return (
    <>
      <div class="messaging-queue-facts">
        <div>{summaryText(data)}</div>
        {nextDue !== null && <div>{nextText(nextDue)}</div>}
      </div>
      {failed}
      <Notice said={said} />
      {waiting + paused + stranded > 0 && (
        <div class="messaging-row">
          <Button
            icon="times"
            text={texts("queue.all.cancel")}
            tip={texts(may("cancel") ? "queue.all.cancelTip" : "queue.denied")}
            disabled={!may("cancel")}
            onPress={() => confirmChange("cancel", waiting + paused + stranded, null)}
          />
        </div>
      )}
      {strandedJobs.length > 0 && (
        <>
          <div class="messaging-legend">{texts("queue.stranded.title")}</div>
          <Quiet>{texts("queue.stranded.hint")}</Quiet>
          {items(strandedJobs)}
        </>
      )}
      {others.length > 0 && (
        <>
          <div class="messaging-legend">{texts("queue.jobs")}</div>
          {items(others)}
        </>
      )}
      {next !== null && (
        <div class="messaging-row">
          <Button text={texts("queue.more")} onPress={() => setAfter(next)} />
        </div>
      )}
    </>
  );
}

/** The messages of the chosen account that are not done, with the Node-REDs that send them. */
const QueueView = ({ account, isActive }: ViewProps) => (
  <>
    <SendingState key={`sending ${account}`} account={account} isActive={isActive} />
    <AccountQueue key={account} account={account} isActive={isActive} />
    <Instances key={`instances ${account}`} account={account} isActive={isActive} />
  </>
);

export const QUEUE: View = { id: "queue", label: "queue.title", Component: QueueView };
