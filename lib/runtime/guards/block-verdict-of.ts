import { localVerdict, type Verdict } from "../../gateway/codec/verdict";
import type { Outcome } from "../../shared/outcomes";
import { say } from "../../texts/say";
import { sayTime } from "../../texts/say-time";
import { maskNumber } from "../../shared/recipients/mask-number";
import { nameNumbers } from "./name-numbers";

export interface EarlierUse {
  readonly number: string;
  /** Epoch ms at which it was sent or accepted. */
  readonly at: number;
  /** Null before its outcome. */
  readonly outcome: Outcome | null;
}

interface Held {
  readonly numbers: readonly string[];
}

/** IANA name for times in texts; blank for the zone of the process. */
interface InZone {
  readonly zone: string;
}

/** Why a rule blocks numbers. Times are epoch ms. */
export type BlockReason =
  | (Held & { readonly fault: "OPTED_OUT" })
  | (InZone & { readonly fault: "ALREADY_SENT" | "KEY_REUSED"; readonly uses: readonly EarlierUse[] })
  /** `at`: start of the sending hours, or expiry of the message. */
  | (Held & InZone & { readonly fault: "OUTSIDE_HOURS" | "TOO_LATE"; readonly at: number })
  | (Held &
      InZone & {
        readonly fault: "LIMIT_REACHED";
        readonly per: "account" | "number";
        readonly period: "hour" | "day";
        readonly limit: number;
        readonly until: number;
      });

const masked = (numbers: readonly string[]): string => nameNumbers(numbers, maskNumber);

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

/** Makes the result of numbers that a rule blocks, with at most five of them masked. */
export const blockVerdictOf = (reason: BlockReason): Verdict => ({
  ...localVerdict(reason.fault, detailOf(reason)),
  limitEnds: reason.fault === "LIMIT_REACHED" ? reason.until : null,
});
