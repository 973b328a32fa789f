import { findFaultyRecipient } from "./faulty-recipient";
import { sharedTexts } from "../dialog/texts";

/** The list checked last: each key in a dialog repeats the check, and lists can be long. */
let latest: { readonly typed: string; readonly fault: string | null } = { typed: "", fault: null };

/** Why a list of numbers typed into the dialog cannot be sent to, or null. National numbers pass: the account decides. */
export function findRecipientsFault(typed: string): string | null {
  if (latest.typed !== typed) {
    latest = { typed, fault: findFirst(typed) };
  }
  return latest.fault;
}

function findFirst(typed: string): string | null {
  const found = findFaultyRecipient(typed);
  return found === null
    ? null
    : sharedTexts("fault.number", {
        number: found.number,
        reason: sharedTexts(`recipients.reason.${found.reason}`),
      });
}
