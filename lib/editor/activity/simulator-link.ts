import {
  type ActionAnswer,
  type PanelFault,
  type SimulatorView,
  simulatorPath,
  WITH_TEXTS,
} from "../../shared/simulator-panel";
import type { EditedNode } from "../dialog/node-definition";

/** A simulated account of the flows as they are in the editor. */
export interface SimulatedAccountChoice {
  readonly id: string;
  readonly label: string;
}

/** Why an action failed; also the key of its text. */
export class SimulatorProblem extends Error {
  constructor(readonly fault: PanelFault | "down" | "denied") {
    super(fault);
  }
}

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

/**
 * The latest messages of the simulator. Rejects with a `SimulatorProblem`.
 * @param withTexts needs permission to deploy
 */
export function readSimulator(accountId: string, withTexts: boolean): Promise<SimulatorView> {
  return settle<SimulatorView>($.getJSON(simulatorPath(accountId, withTexts ? WITH_TEXTS : "")));
}

/** Runs an action as the recipient. Rejects with a `SimulatorProblem`. */
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
        const denied = status === 401 || status === 403;
        reject(new SimulatorProblem(denied ? "denied" : status === 400 ? "invalid" : "down"));
      },
    );
  });
}
