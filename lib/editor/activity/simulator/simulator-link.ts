import {
  type ActionAnswer,
  type SimulatorView,
  simulatorPath,
  WITH_TEXTS,
} from "../../../shared/simulator-panel";
import { language } from "../../dialog/locale";
import type { AccountView } from "./simulator-conversation";
import { accountChoices, type Choice } from "../accounts/accounts";
import { DENIED, type FaultsByStatus, post, RequestFailure, settle } from "../request";

/** Why reading or an action failed; also the key of its text. */
const FAULTS: FaultsByStatus = { ...DENIED, 400: "invalid", 413: "too-large" };

export const faultOf = (problem: unknown): string =>
  problem instanceof RequestFailure ? problem.fault : "down";

export const simulatedAccounts = (): readonly Choice[] =>
  accountChoices(({ service }) => service !== "service");

const readSimulator = (accountId: string, withTexts: boolean): Promise<SimulatorView> =>
  settle(
    $.ajax({
      url: simulatorPath(accountId, withTexts ? WITH_TEXTS : ""),
      dataType: "json",
      headers: { "Accept-Language": language() },
    }),
    FAULTS,
  );

export interface SimulatorReading {
  readonly views: readonly AccountView[];
  readonly faults: readonly { readonly account: Choice; readonly fault: string }[];
}

/** The latest messages of these accounts. Never rejects. @param withTexts needs permission to deploy */
export async function readSimulators(
  accounts: readonly Choice[],
  withTexts: boolean,
): Promise<SimulatorReading> {
  const read = await Promise.all(
    accounts.map(async (account) => {
      try {
        return { account, view: await readSimulator(account.id, withTexts), fault: null };
      } catch (problem) {
        return { account, view: null, fault: faultOf(problem) };
      }
    }),
  );
  return {
    views: read.flatMap(({ account, view }) => (view === null ? [] : [{ account, view }])),
    faults: read.flatMap(({ account, fault }) => (fault === null ? [] : [{ account, fault }])),
  };
}

/** Runs an action as the recipient. Rejects with a problem for `faultOf`. */
export const runAction = (accountId: string, action: string, input: object): Promise<ActionAnswer> =>
  post(simulatorPath(accountId, action), input, FAULTS);
