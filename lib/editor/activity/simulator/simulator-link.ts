import {
  type ActionAnswer,
  type SimulatorView,
  simulatorPath,
  WITH_TEXTS,
} from "../../../shared/simulator-panel";
import { language } from "../../dialog/locale";
import type { EditedNode } from "../../dialog/node-definition";
import { DENIED, type FaultsByStatus, post, RequestFailure, settle } from "../request";

/** Why reading or an action failed; also the key of its text. */
const FAULTS: FaultsByStatus = { ...DENIED, 400: "invalid", 413: "too-large" };

export const faultOf = (problem: unknown): string =>
  problem instanceof RequestFailure ? problem.fault : "down";

export function isSimulated(accountId: string): boolean {
  const account = RED.nodes.node(accountId) as EditedNode | null;
  return account != null && account.service !== "service";
}

/** @param withTexts needs permission to deploy @throws a problem for `faultOf` (as a rejection) */
export const readSimulator = (accountId: string, withTexts: boolean): Promise<SimulatorView> =>
  settle(
    $.ajax({
      url: simulatorPath(accountId, withTexts ? WITH_TEXTS : ""),
      dataType: "json",
      headers: { "Accept-Language": language() },
    }),
    FAULTS,
  );

/** Runs an action as the recipient. Rejects with a problem for `faultOf`. */
export const runAction = (accountId: string, action: string, input: object): Promise<ActionAnswer> =>
  post(simulatorPath(accountId, action), input, FAULTS);
