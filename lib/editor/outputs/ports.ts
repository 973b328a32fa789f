import { OUTCOMES, type OutcomeFacts } from "../../shared/outcomes";
import { sharedTexts } from "../dialog/texts";

const ALL = Object.values(OUTCOMES);

const portOf = (facts: OutcomeFacts, ports: number): number => (ports === 6 ? facts.portOf6 : facts.portOf4);

/** Label of an output: its outcome, or the common name of its outcomes. */
export function portLabel(ports: number, index: number): string {
  const [first, ...others] = ALL.filter((facts) => portOf(facts, ports) === index);
  if (first === undefined) {
    return "";
  }
  return sharedTexts(`port.${others.length > 0 && !first.failure ? "accepted" : first.outcome}`);
}

/** The ports of `after` outputs for the outcomes of port `index` of `before` outputs. */
export function matchingPorts(before: number, after: number, index: number): readonly number[] {
  const outcomes = ALL.filter((facts) => portOf(facts, before) === index);
  return [...new Set(outcomes.map((facts) => portOf(facts, after)))];
}
