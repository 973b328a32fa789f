import { FIRST_RECIPIENT } from "./stub-gateway";

/** More than a run of the bench sends in a day. */
const HIGH = "1000000000";
const OPT_OUTS = 10_000;
/** Mobile numbers of the country to which the bench sends, none of them a recipient. */
const FIRST_OPT_OUT = FIRST_RECIPIENT - 30_000_000;

/** Settings of an account with every guard, none of which holds back what the bench sends. */
export const GUARDED_ACCOUNT = {
  allowedCountries: "CH,DE,AT,FR,IT",
  mobileOnly: true,
  noPremiumNumbers: true,
  sendingHours: true,
  sendingDays: "mon,tue,wed,thu,fri,sat,sun",
  sendingFrom: "00:00",
  sendingTo: "24:00",
  sendingBy: "recipient",
  limitHour: HIGH,
  limitDay: HIGH,
  limitNumberHour: HIGH,
  limitNumberDay: HIGH,
} as const;

/**
 * Settings of a send node whose messages leave once for their key. An account in memory has space for half a million keys, so they are in
 * use for less time than it takes to send so many.
 */
export const GUARDED_NODE = { onceKey: "key", onceKeySource: "msg", onceWithin: "5s" } as const;

/** Numbers that have opted out of a guarded account. */
export const optOuts = (): string[] =>
  Array.from({ length: OPT_OUTS }, (_none, at) => `+${FIRST_OPT_OUT + at}`);

/** Gives messages to a number each, with a key of their own. @returns the next message, without its text */
export function eachWithItsKey(): () => { readonly to: string; readonly key: string } {
  let sent = 0;
  return () => {
    const to = String(FIRST_RECIPIENT + sent++);
    return { to, key: `invoice-${to}` };
  };
}
