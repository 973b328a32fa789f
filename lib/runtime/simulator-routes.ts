import type { NodeAPI } from "node-red";
import type { PlayedAction, PlayFault, SimulatorView } from "../shared/simulator-panel";
import { Account } from "./account";
import { serveEditor } from "./editor-request";
import {
  MessageGone,
  type PlayedAccount,
  PLAY_NAMES,
  playOtherSide,
  schemaOf,
  viewOf,
} from "./simulator-player";

const PATH = "/messaging-account/:id/simulator";

/**
 * Lets the editor play the other side of an account whose service is the built-in simulator: to look is for those
 * who may read flows, to act for those who may deploy. An account at a real service has no such side.
 */
export function serveSimulatorPanel(RED: NodeAPI): void {
  // Without an admin app there is no editor to ask.
  if (typeof RED.httpAdmin?.get !== "function") {
    return;
  }
  RED.httpAdmin.get(PATH, RED.auth.needsPermission("flows.read"), (req, res) => {
    res.set("cache-control", "no-store");
    void answer<SimulatorView>(RED, String(req.params.id), viewOf).then((body) => res.json(body));
  });
  for (const name of PLAY_NAMES) {
    serveEditor(RED, `${PATH}/${name}`, schemaOf(name), (id, input) =>
      answer<PlayedAction>(RED, id, (account) => ({ told: playOtherSide(account, name, input) })),
    );
  }
}

/** Never rejects. */
async function answer<Body>(
  RED: NodeAPI,
  id: string,
  use: (account: PlayedAccount) => Body,
): Promise<Body | { readonly error: PlayFault }> {
  const account = Account.find(RED.nodes.getNode(id));
  if (account?.simulated !== true) {
    return { error: account === null ? "not-running" : "not-simulated" };
  }
  try {
    return await account.withSimulator(use);
  } catch (error) {
    if (error instanceof MessageGone) {
      return { error: "gone" };
    }
    // The simulator refuses in this way what cannot happen.
    return { error: error instanceof TypeError ? "invalid" : "failed" };
  }
}
