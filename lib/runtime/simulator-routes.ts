import type { NodeAPI } from "node-red";
import { ZodError } from "zod";
import type { PlayFault, PlayedAction, SimulatorView } from "../shared/simulator-panel";
import { Account } from "./account";
import { isPlay, MessageGone, type PlayedAccount, playOtherSide, viewOf } from "./simulator-player";

const PATH = "/messaging-account/:id/simulator";

const HTTP_STATUS: Readonly<Record<PlayFault, number>> = {
  "not-running": 404,
  "not-simulated": 409,
  gone: 410,
  invalid: 400,
  failed: 500,
};

/** The part of Express's answer that is used here. */
interface Answer {
  status(code: number): { json(body: unknown): unknown };
}

/**
 * Lets the editor play the other side of an account whose service is the built-in simulator: to look is for those
 * who may read flows, to act for those who may deploy. An account at a real service has no such side.
 */
export function serveSimulatorPanel(RED: NodeAPI): void {
  // Without an admin app there is no editor to ask.
  if (typeof RED.httpAdmin?.get !== "function") {
    return;
  }
  const answer = async <Body>(
    res: Answer,
    id: string,
    use: (account: PlayedAccount) => Body,
  ): Promise<void> => {
    try {
      const account = Account.find(RED.nodes.getNode(id));
      if (account?.simulated !== true) {
        refuse(res, account === null ? "not-running" : "not-simulated");
        return;
      }
      res.status(200).json(await account.withSimulator(use));
    } catch (error) {
      refuse(res, faultOf(error), error);
    }
  };
  RED.httpAdmin.get(PATH, RED.auth.needsPermission("flows.read"), (req, res) => {
    res.set("cache-control", "no-store");
    void answer<SimulatorView>(res, String(req.params.id), viewOf);
  });
  RED.httpAdmin.post(`${PATH}/:play`, RED.auth.needsPermission("flows.write"), (req, res) => {
    const name = String(req.params.play);
    if (!isPlay(name)) {
      refuse(res, "invalid");
      return;
    }
    void answer<PlayedAction>(res, String(req.params.id), (account) => ({
      told: playOtherSide(account, name, req.body ?? {}),
    }));
  });
}

function faultOf(error: unknown): PlayFault {
  if (error instanceof MessageGone) {
    return "gone";
  }
  return error instanceof ZodError || error instanceof TypeError ? "invalid" : "failed";
}

/** Reasons that a program gives are told only where the simulator itself refused: they name the field. */
function refuse(res: Answer, error: PlayFault, cause?: unknown): void {
  const reason = cause instanceof TypeError ? cause.message : undefined;
  res.status(HTTP_STATUS[error]).json({ error, ...(reason !== undefined && { reason }) });
}
