import { hasPortBehind, outcomePorts } from "../../shared/outcome-ports";
import { OUTCOMES, type OutcomeFacts } from "../../shared/outcomes";
import { sharedTexts } from "../dialog/texts";
import type { EditedNode } from "../dialog/node-definition";
import { moveWires } from "./move-wires";

const ALL = Object.values(OUTCOMES);

const getPort = (facts: OutcomeFacts, ports: number): number =>
  outcomePorts(ports) === 6 ? facts.portOf6 : facts.portOf4;

function portLabel(ports: number, index: number): string {
  const [first, ...others] = ALL.filter((facts) => getPort(facts, ports) === index);
  if (first === undefined) {
    return "";
  }
  return sharedTexts(`port.${others.length > 0 && !first.failure ? "accepted" : first.outcome}`);
}

/** Returns the ports of `after` outputs for the outcomes of port `index` of `before` outputs. */
function matchingPorts(before: number, after: number, index: number): readonly number[] {
  if (index === outcomePorts(before)) {
    return hasPortBehind(after) ? [outcomePorts(after)] : [];
  }
  const outcomes = ALL.filter((facts) => getPort(facts, before) === index);
  return [...new Set(outcomes.map((facts) => getPort(facts, after)))];
}

export const SEND_OUTPUTS = {
  outputs: 4,
  outputLabel: (node: EditedNode, index: number): string => portLabel(node.outputs, index),
  /** If the number of outputs changes, a wire from "rejected" must not become one from "try again". */
  saved(node: EditedNode): { history?: object[] } {
    const { outputs: before } = node;
    const after = Number($("#node-input-outputs").val());
    return before === after ? {} : moveWires(node, (port) => matchingPorts(before, after, port));
  },
};
