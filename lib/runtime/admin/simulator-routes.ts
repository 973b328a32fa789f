import type { NodeAPI } from "node-red";
import {
  type ActionAnswer,
  type PanelFault,
  type SimulatorView,
  WITH_TEXTS,
} from "../../shared/simulator-panel";
import { inLanguage } from "../../texts/say";
import { Account } from "../account/account";
import { addRoute } from "./add-route";
import { serveEditor } from "./editor-request";
import type { SimulatorAccount } from "../simulator/simulator-account";
import {
  MessageGone,
  performSimulatorAction,
  SIMULATOR_ACTIONS,
  getSchema,
} from "../simulator/simulator-actions";
import { viewOf } from "../simulator/simulator-view";

const PATH = "/messaging-account/:id/simulator";

/** Reading the list takes permission to read flows; texts and actions take permission to deploy. */
export function serveSimulatorPanel(RED: NodeAPI): void {
  for (const [path, permission, withTexts] of [
    [PATH, "flows.read", false],
    [`${PATH}/${WITH_TEXTS}`, "flows.write", true],
  ] as const) {
    addRoute(RED, "get", path, permission, (req, res) => {
      res.set("cache-control", "no-store");
      const [language = ""] = req.acceptsLanguages();
      const view = (account: SimulatorAccount): SimulatorView =>
        inLanguage(language, () => viewOf(account, withTexts));
      void answer(RED, String(req.params.id), view).then((body) => res.json(body));
    });
  }
  for (const name of SIMULATOR_ACTIONS) {
    serveEditor(RED, `${PATH}/${name}`, "flows.write", getSchema(name), (id, input) =>
      answer<ActionAnswer>(RED, id, (account, { defaultCountry }) =>
        performSimulatorAction(account, name, input, defaultCountry),
      ),
    );
  }
}

async function answer<Body>(
  RED: NodeAPI,
  id: string,
  use: (simulated: SimulatorAccount, account: Account) => Body,
): Promise<Body | { readonly error: PanelFault }> {
  const account = Account.find(RED.nodes.getNode(id));
  if (account?.simulated !== true) {
    return { error: account === null ? "not-running" : "not-simulated" };
  }
  try {
    return await account.simulator.use((simulated) => use(simulated, account));
  } catch (error) {
    if (error instanceof MessageGone) {
      return { error: "gone" };
    }
    // The simulator throws a TypeError for invalid input.
    return { error: error instanceof TypeError ? "invalid" : "failed" };
  }
}
