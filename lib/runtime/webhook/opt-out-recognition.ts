import type { OptOutChange } from "../../shared/opt-outs/opt-out-change";
import type { OptOutReader, ReceivedEvent } from "../../webhook/receiver-parts";
import type { Account } from "../account/account";
import { inboundText, senderDigits } from "../store/event-fields";
import type { OptOutSettings } from "./opt-out-settings";

/** Why a stop word or a start word changes no list: the webhook has no account, or the sender no phone number. */
export type OptOutLoss = "no-account" | "no-number";

/** Recognises the stop words and start words of a webhook in inbound messages. */
export class OptOutRecognition implements OptOutReader {
  /** @param lost receives why a word changes no list; the event goes on without `optOut` then */
  constructor(
    private readonly settings: OptOutSettings,
    private readonly account: Account | null,
    private readonly lost: (why: OptOutLoss) => void,
  ) {}

  read({ kind, sender, payload }: Pick<ReceivedEvent, "kind" | "sender" | "payload">): OptOutChange | null {
    const text = kind === "inbound" ? inboundText(payload) : null;
    const change = text === null ? null : this.settings.words.recognise(text);
    if (change === null) {
      return null;
    }
    if (this.account === null) {
      this.lost("no-account");
      return null;
    }
    const number = senderDigits({ kind, sender, payload });
    if (number === null) {
      this.lost("no-number");
      return null;
    }
    return change === "stop" ? { change, scope: this.settings.scope, number } : { change, number };
  }
}
