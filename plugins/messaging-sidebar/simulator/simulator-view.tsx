import { useEffect } from "preact/hooks";
import type {
  PanelMessage,
  PanelReply,
  SimulatorView as Simulated,
} from "../../../lib/shared/simulator-panel";
import { failureText, texts } from "../shared/format";
import { Notice, Quiet } from "../shared/parts";
import type { View, ViewProps } from "../shared/view";
import { NextAnswer, Templates } from "./forms";
import { SimulatedMessage, SimulatedReply } from "./simulated-message";
import { useSimulator } from "./use-simulator";
import { Writer } from "./writer";

/** Messages and replies, newest first; at the same moment replies are above messages. */
const newestFirst = ({ replies, messages }: Simulated): readonly (PanelMessage | PanelReply)[] =>
  [...replies, ...messages].sort((one, other) => other.at - one.at);

/** Replies have no id: equal ones of one moment are told apart by their number. */
function toKeys(replies: readonly PanelReply[]): ReadonlyMap<PanelReply, string> {
  const times = new Map<string, number>();
  return new Map(
    replies.map((reply) => {
      const name = `${reply.at} ${reply.who} ${reply.text}`;
      const time = (times.get(name) ?? 0) + 1;
      times.set(name, time);
      return [reply, `${name} ${time}`];
    }),
  );
}

type AccountSimulatorProps = Pick<ViewProps, "account" | "isActive" | "deploys">;

function AccountSimulator({ account, isActive, deploys }: AccountSimulatorProps) {
  const mayAct = RED.user.hasPermission("flows.write");
  const { data, failure, said, say, act } = useSimulator(account, isActive, mayAct);
  const complain = (text: string): void => say(text, true);
  // For example that no node receives a message: after a deploy that may be wrong.
  useEffect(() => say(""), [deploys]);
  const messages = data === null ? [] : newestFirst(data);
  const keys = toKeys(data?.replies ?? []);
  return (
    <div class="messaging-simulator" onInput={() => say("")}>
      {mayAct ? (
        <>
          <Writer view={data} act={act} complain={complain} />
          <NextAnswer view={data} act={act} />
          <Templates view={data} act={act} />
        </>
      ) : (
        <div class="messaging-notice messaging-quiet">{texts("simulator.readOnly")}</div>
      )}
      <Notice said={said} />
      <Notice
        said={{ text: failure === null ? "" : failureText(failure, "simulator.fault"), isWrong: true }}
      />
      <div class="messaging-simulator-messages">
        {messages.map((each) =>
          "transferId" in each ? (
            <SimulatedMessage key={each.transferId} message={each} act={mayAct ? act : null} say={say} />
          ) : (
            <SimulatedReply key={keys.get(each)} reply={each} />
          ),
        )}
        {messages.length === 0 && <Quiet>{texts("simulator.none")}</Quiet>}
      </div>
    </div>
  );
}

/** Acts as the recipient of a simulated account. */
const SimulatorView = ({ account, isActive, deploys }: ViewProps) => (
  <AccountSimulator key={account} account={account} isActive={isActive} deploys={deploys} />
);

export const SIMULATOR: View = {
  id: "simulator",
  label: "simulator.tab",
  isOffered: (account) => {
    const node = RED.nodes.node(account);
    return node != null && node.service !== "service";
  },
  Component: SimulatorView,
};
