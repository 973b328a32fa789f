import { localVerdict, type Verdict } from "../../gateway/codec/verdict";
import type { Outcome } from "../../shared/outcomes";
import { say } from "../../texts/say";
import { sayTime } from "../../texts/say-time";
import { maskNumber } from "../../shared/recipients/mask-number";
import { nameNumbers } from "./name-numbers";

/** The message that holds a once key for a number. */
export interface EarlierUse {
  /** Digits. */
  readonly number: string;
  /** Epoch ms at which it left, or was taken. */
  readonly at: number;
  /** Null while it is on its way. */
  readonly outcome: Outcome | null;
}

interface Held {
  /** Digits; at least one. */
  readonly numbers: readonly string[];
}

/** What times are said in: an IANA name; blank for the zone of the process. */
interface InZone {
  readonly zone: string;
}

/** Why a rule of a message or of its account holds numbers back, in plain data. Times are epoch ms. */
export type BlockReason =
  | (Held & { readonly fault: "OPTED_OUT" })
  | (InZone & { readonly fault: "ALREADY_SENT" | "KEY_REUSED"; readonly uses: readonly EarlierUse[] })
  /** `at`: when the sending hours begin, or from when on the message is useless. */
  | (Held & InZone & { readonly fault: "OUTSIDE_HOURS" | "TOO_LATE"; readonly at: number })
  | (Held &
      InZone & {
        readonly fault: "LIMIT_REACHED";
        /** Whether the limit is that of the account, or of messages to one number. */
        readonly per: "account" | "number";
        readonly period: "hour" | "day";
        /** Billed messages of a period. */
        readonly limit: number;
        /** When the next period begins. */
        readonly until: number;
      });

const masked = (numbers: readonly string[]): string => nameNumbers(numbers, maskNumber);

/** What is said of the numbers beside the meaning of the code. */
function detailOf(reason: BlockReason): string {
  switch (reason.fault) {
    case "OPTED_OUT":
      return masked(reason.numbers);
    case "ALREADY_SENT":
    case "KEY_REUSED":
      return nameNumbers(reason.uses, ({ number, at, outcome }) =>
        say(`recipients.held.use.${outcome ?? "open"}`, {
          number: maskNumber(number),
          time: sayTime(at, reason.zone),
        }),
      );
    case "LIMIT_REACHED": {
      const { per, period, limit, until, zone, numbers } = reason;
      const time = sayTime(until, zone);
      return say(`recipients.held.limit.${per}-${period}`, { limit, time, list: masked(numbers) });
    }
    case "OUTSIDE_HOURS":
    case "TOO_LATE": {
      const { fault, at, zone, numbers } = reason;
      const key = fault === "TOO_LATE" ? "recipients.held.too-late" : "recipients.held.hours";
      return say(key, { time: sayTime(at, zone), list: masked(numbers) });
    }
  }
}

/** The verdict on numbers that a rule holds back: names at most five of them, masked, with what decided. */
export const blockVerdictOf = (reason: BlockReason): Verdict => ({
  ...localVerdict(reason.fault, detailOf(reason)),
  limitEnds: reason.fault === "LIMIT_REACHED" ? reason.until : null,
});
