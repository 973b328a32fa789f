import type { NumberType } from "../../shared/recipients/number-facts";
import { canBeOf, numberFacts } from "../../shared/recipients/number-facts";
import { groupRecipients, type Groups } from "./group-recipients";
import { blockVerdict, type WhereToReason } from "./block-verdict";
import type { CheckedRecipients, GuardedMessage, RecipientGuard } from "./recipient-guard";
import type { WhereToSettings } from "./where-to-settings";

const PREMIUM: ReadonlySet<NumberType> = new Set(["PREMIUM_RATE", "SHARED_COST"]);
const MOBILE: ReadonlySet<NumberType> = new Set(["MOBILE", "FIXED_LINE_OR_MOBILE"]);

/** A calling code that no country has, and all numbers of the simulator that answer in a way of their own. */
const SIMULATED = "999";

/** The order of the results, and of the checks: a number is held back for the first reason that applies. */
const REASONS: readonly WhereToReason[] = ["country", "premium", "not-mobile"];

/** Holds back numbers of countries and types that the account does not allow. Loads the numbering plans, which are large. */
export class WhereToGuard implements RecipientGuard {
  constructor(private readonly settings: WhereToSettings) {}

  /** @returns null where the recipient is sent to */
  reasonOf(recipient: string, { sms }: GuardedMessage): WhereToReason | null {
    const { countries, noPremiumNumbers, mobileOnly, simulated } = this.settings;
    if (simulated && recipient.startsWith(SIMULATED)) {
      return null;
    }
    if (countries !== null && !canBeOf(recipient, countries)) {
      return "country";
    }
    const needsMobile = mobileOnly && sms;
    if (!noPremiumNumbers && !needsMobile) {
      return null;
    }
    const { type } = numberFacts(recipient);
    if (type === null) {
      return null;
    }
    if (noPremiumNumbers && PREMIUM.has(type)) {
      return "premium";
    }
    return needsMobile && !MOBILE.has(type) ? "not-mobile" : null;
  }

  async check(recipients: readonly string[], message: GuardedMessage): Promise<CheckedRecipients> {
    return checked(await groupRecipients(recipients, (recipient) => this.reasonOf(recipient, message)));
  }
}

const checked = ({ allowed, held }: Groups<WhereToReason>): CheckedRecipients => ({
  allowed,
  held: REASONS.flatMap((reason) => {
    const recipients = held.get(reason);
    return recipients === undefined ? [] : [{ recipients, verdict: blockVerdict(reason, recipients) }];
  }),
});
