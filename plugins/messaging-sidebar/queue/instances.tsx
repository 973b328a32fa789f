import { type QueueInstance, type QueueInstances, READ_HISTORY } from "../../../lib/shared/history/history";
import { post } from "../shared/api";
import { durationText, failureText, joined, longTime, shortTime, texts, type Tone } from "../shared/format";
import { Dot, Fold, Line, Notice, Quiet } from "../shared/parts";
import { usePoll } from "../shared/use-poll";

const TONES: Readonly<Record<QueueInstance["state"], Tone>> = {
  alive: "good",
  silent: "wait",
  ended: "none",
};

const summaryText = (instances: readonly QueueInstance[]): string =>
  joined(
    ...(["alive", "silent", "ended"] as const).map((state) => {
      const { length: n } = instances.filter((each) => each.state === state);
      return n > 0 && texts(`instances.count.${state}`, { n });
    }),
  );

const loadText = ({ sending, taken }: QueueInstance, isComplete: boolean): string =>
  joined(
    sending > 0 && texts("instances.sending", { n: sending }),
    taken > 0 && texts(isComplete ? "instances.taken" : "instances.takenAtLeast", { n: taken }),
  ) || texts(isComplete ? "instances.idle" : "instances.notCounted");

function Instance({ instance, isComplete }: { instance: QueueInstance; isComplete: boolean }) {
  const { host, process, mine, state, startedAt, quietFor } = instance;
  return (
    <div class="messaging-instance">
      <Line>
        <Dot tone={TONES[state]} />
        <span class="messaging-who" title={host}>
          {host}
        </span>
        {mine && <span class="messaging-mine">{texts("instances.mine")}</span>}
      </Line>
      <Quiet>
        {texts("instances.process", { n: String(process) })} ·{" "}
        <span title={longTime(startedAt)}>{texts("instances.since", { time: shortTime(startedAt) })}</span>
      </Quiet>
      <div>{texts(`instances.state.${state}`, { time: durationText(quietFor) })}</div>
      <Quiet>{loadText(instance, isComplete)}</Quiet>
    </div>
  );
}

interface InstancesProps {
  readonly account: string;
  readonly isActive: boolean;
}

/** The Node-REDs that share the store of an account; nothing if only one can use it. */
export function Instances({ account, isActive }: InstancesProps) {
  const mayRead = RED.user.hasPermission(READ_HISTORY);
  const { data, failure } = usePoll(account, isActive && mayRead, () =>
    post<QueueInstances>(account, "queue/instances"),
  );
  if (data === null || data.instances === null) {
    return null;
  }
  const { instances, complete } = data;
  const summary = failure === null ? summaryText(instances) : texts("instances.unknown");
  return (
    <Fold
      class="messaging-instances"
      head={
        <>
          <b>{texts("instances.title")}</b> <span class="messaging-quiet">{summary}</span>
        </>
      }
    >
      {() =>
        failure !== null ? (
          <Notice said={{ text: failureText(failure), isWrong: true }} />
        ) : (
          <>
            {instances.map((each) => (
              <Instance
                key={`${each.host} ${each.process} ${each.startedAt}`}
                instance={each}
                isComplete={complete}
              />
            ))}
            {instances.some(({ state }) => state === "silent") && (
              <Quiet>{texts("instances.silentHint")}</Quiet>
            )}
          </>
        )
      }
    </Fold>
  );
}
