import {
  type ActionAnswer,
  type PanelFault,
  type SimulatorView,
  simulatorPath,
  WITH_TEXTS,
} from "../../../shared/simulator-panel";
import type { AccountView, SimulatedAccountChoice } from "./simulator-conversation";
import type { EditedNode } from "../../dialog/node-definition";

/** Why reading or an action failed; also the key of its text. */
export type SimulatorFault = PanelFault | "down" | "denied" | "too-large";

class SimulatorProblem extends Error {
  constructor(readonly fault: SimulatorFault) {
    super(fault);
  }
}

/** The fault in a rejection of this module. */
export const faultOf = (problem: unknown): SimulatorFault =>
  problem instanceof SimulatorProblem ? problem.fault : "down";

/** Accounts of the flows that use the built-in simulator. */
export function simulatedAccounts(): readonly SimulatedAccountChoice[] {
  const found: SimulatedAccountChoice[] = [];
  RED.nodes.eachConfig((each) => {
    const node = each as EditedNode;
    if (node.type === "messaging-account" && node.service !== "service" && node.d !== true) {
      found.push({ id: node.id, label: RED.utils.getNodeLabel(node, node.id) });
    }
    return true;
  });
  return found;
}

function readSimulator(accountId: string, withTexts: boolean): Promise<SimulatorView> {
  return settle<SimulatorView>($.getJSON(simulatorPath(accountId, withTexts ? WITH_TEXTS : "")));
}

/** What was read of several accounts. */
export interface SimulatorReading {
  readonly views: readonly AccountView[];
  /** Why accounts were not read. */
  readonly faults: readonly { readonly account: SimulatedAccountChoice; readonly fault: SimulatorFault }[];
}

/** The latest messages of these accounts. Never rejects. @param withTexts needs permission to deploy */
export async function readSimulators(
  accounts: readonly SimulatedAccountChoice[],
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
export function runAction(accountId: string, action: string, input: object): Promise<ActionAnswer> {
  return settle<ActionAnswer>(
    $.ajax({
      url: simulatorPath(accountId, action),
      method: "POST",
      contentType: "application/json",
      data: JSON.stringify(input),
    }),
  );
}

function settle<Body>(request: JQuery.jqXHR): Promise<Body> {
  return new Promise((resolve, reject) => {
    request.then(
      (body: Body | { readonly error: PanelFault }) => {
        if (typeof body === "object" && body !== null && "error" in body) {
          reject(new SimulatorProblem(body.error));
        } else {
          resolve(body);
        }
      },
      ({ status }) => {
        const faults: Readonly<Record<number, SimulatorFault>> = {
          400: "invalid",
          401: "denied",
          403: "denied",
          413: "too-large",
        };
        reject(new SimulatorProblem(faults[status] ?? "down"));
      },
    );
  });
}
