import type { OptOutReader } from "../../webhook/receiver-parts";
import type { Account } from "../account/account";
import { inboundText, senderDigits } from "../store/event-fields";
import type { OptOutSettings } from "./opt-out-settings";

export type OptOutLoss = "no-account" | "no-number";

/** @param lost receives why a word changes no list; the event then has no `optOut` */
export const optOutReader =
  (
    { words, scope }: OptOutSettings,
    account: Account | null,
    lost: (why: OptOutLoss) => void,
  ): OptOutReader =>
  ({ kind, sender, payload }) => {
    const text = kind === "inbound" ? inboundText(payload) : null;
    const change = text === null ? null : words.recognise(text);
    if (change === null) {
      return null;
    }
    const number = senderDigits({ kind, sender, payload });
    if (account === null || number === null) {
      lost(account === null ? "no-account" : "no-number");
      return null;
    }
    return change === "stop" ? { change, scope, number } : { change, number };
  };
