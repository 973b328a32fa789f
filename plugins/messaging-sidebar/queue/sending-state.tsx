import { type SendingAction, type SendingView, WRITE_SENDING } from "../../../lib/shared/history/history";
import { post } from "../shared/api";
import { ask, longTime, texts } from "../shared/format";
import { Button, Icon, Notice } from "../shared/parts";
import { usePoll } from "../shared/use-poll";
import { useSaid } from "../shared/use-said";
import { RefusedLine } from "./refused-line";

function getLines({ stoppedSince, stoppedBySettings, refused, waiting }: SendingView): readonly string[] {
  const isStopped = stoppedSince !== null || stoppedBySettings || refused.length > 0;
  return [
    ...(stoppedSince === null ? [] : [texts("sending.stoppedSince", { time: longTime(stoppedSince) })]),
    ...(stoppedBySettings ? [texts("sending.stoppedBySettings")] : []),
    ...refused,
    ...(isStopped ? [] : [texts("sending.sends")]),
    ...(isStopped || waiting > 0 ? [texts("sending.waiting", { n: waiting })] : []),
  ];
}

interface SendingStateProps {
  readonly account: string;
  readonly isActive: boolean;
  /** True to show the webhook calls that were refused. */
  readonly hasCalls?: boolean;
}

/** Says whether an account sends, with the switch that stops all sending. */
export function SendingState({ account, isActive, hasCalls = false }: SendingStateProps) {
  const { data, failure, refresh } = usePoll(account, isActive, () =>
    post<SendingView>(account, "sending/look"),
  );
  const { said, report } = useSaid();
  const mayChange = RED.user.hasPermission(WRITE_SENDING);
  // The history below says why the account cannot be read.
  if (data === null || failure !== null) {
    return null;
  }
  const change = async (action: SendingAction): Promise<void> => {
    await report(post(account, `sending/${action}`).then(() => ""));
    refresh();
  };
  const goOn = (): void => {
    const question = data.stoppedBySettings
      ? texts("sending.questionSettings")
      : texts("sending.question", { n: data.waiting });
    ask(question, texts("sending.go-on"), () => void change("go-on"));
  };
  const button = (action: SendingAction, icon: string, onPress = (): void => void change(action)) => (
    <Button
      // The focus stays when one action takes the place of another.
      key={action === "resume" ? "resume" : "switch"}
      icon={icon}
      text={texts(`sending.${action}`)}
      tip={texts(mayChange ? `sending.${action}Tip` : "sending.denied")}
      disabled={!mayChange}
      onPress={onPress}
    />
  );
  const isStopped = data.stoppedSince !== null || data.stoppedBySettings || data.refused.length > 0;
  return (
    <>
      <div class={`messaging-sending${isStopped ? " messaging-stopped" : ""}`}>
        <div class="messaging-sending-state" role="status">
          {isStopped && <Icon name="hand-paper-o" />}
          <div>
            {getLines(data).map((line) => (
              <div key={line}>{line}</div>
            ))}
          </div>
        </div>
        {data.stoppedSince === null ? button("stop", "hand-paper-o") : button("go-on", "play", goOn)}
        {data.refused.length > 0 && button("resume", "repeat")}
        <Notice said={said} role="alert" />
      </div>
      {hasCalls && <RefusedLine calls={data.refusedCalls} />}
    </>
  );
}
