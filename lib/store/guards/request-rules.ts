/** An idempotency key: the same recipient gets one message for it within a time. */
export interface Once {
  /** Made by the flow, such as `invoice-4711`. At most 200 characters. */
  readonly key: string;
  /** ms for which the key is in use after the message was sent. */
  readonly within: number;
  /** Hash of the content without recipients and ids. */
  readonly hash: string;
}

/** Policies of a request, shared by all requests of a message. */
export interface RequestRules {
  /** Epoch ms before which it is not sent; null for immediately. */
  readonly scheduled: number | null;
  /** Epoch ms at which the sending hours start; null within them. Checked again before it is sent. */
  readonly opens: number | null;
  /** Epoch ms from which it is not sent; null for never. */
  readonly uselessAfter: number | null;
  readonly once: Once | null;
  /** True if it is sent despite opt-outs, such as the confirmation of one. */
  readonly alsoOptedOut: boolean;
  /** `contentCategory` of the message; blank without one. */
  readonly category: string;
  /** Billed messages for each recipient, at least 1: segments of an SMS. */
  readonly cost: number;
  /** IANA name of the zone of its sending hours; blank for that of the account, null for any hour. */
  readonly zone: string | null;
}

export const NO_RULES: RequestRules = {
  scheduled: null,
  opens: null,
  uselessAfter: null,
  once: null,
  alsoOptedOut: false,
  category: "",
  cost: 1,
  zone: null,
};

/** Stored zone of a request that is sent at any hour. */
const ANY_HOUR = "-";

/** Columns of `policies` in the order of `ruleEntry`. */
export const RULE_COLUMNS = {
  scheduled: "bigint",
  not_after: "bigint",
  idempotency_key: "text",
  key_ttl: "bigint",
  content_hash: "text",
  to_opted_out: "integer",
  category: "text",
  cost: "integer",
  zone: "text",
} as const;

export const RULE_NAMES = Object.keys(RULE_COLUMNS);

export const ruleEntry = (rules: RequestRules): readonly (string | number | null)[] => {
  const { scheduled, uselessAfter, once, alsoOptedOut, category, cost, zone } = rules;
  const key = [once?.key ?? null, once?.within ?? null, once?.hash ?? null];
  return [scheduled, uselessAfter, ...key, alsoOptedOut ? 1 : 0, category, cost, zone ?? ANY_HOUR];
};

/** Returns when a request may be sent, and whether it waits for sending hours. @param now epoch ms */
export function dueOf(
  { scheduled, opens }: RequestRules,
  now: number,
): { readonly due: number | null; readonly postponed: 0 | 1 } {
  const due = Math.max(scheduled ?? 0, opens ?? 0);
  return { due: due > now ? due : null, postponed: opens !== null && opens > (scheduled ?? 0) ? 1 : 0 };
}

/** Policies that are checked after the claim. */
export interface ClaimedRules {
  readonly uselessAfter: number | null;
  readonly category: string;
  readonly zone: string | null;
  readonly cost: number;
  readonly once: boolean;
}

/** @param row with these columns, which are null for a request without rules */
export const readRules = (row: Readonly<Record<string, unknown>>): ClaimedRules => ({
  uselessAfter: row.not_after === null ? null : Number(row.not_after),
  category: String(row.category ?? ""),
  zone: row.zone === ANY_HOUR ? null : String(row.zone ?? ""),
  cost: Number(row.cost ?? 1),
  once: row.idempotency_key !== null,
});

const NO_CLAIMED_RULES: ClaimedRules = { uselessAfter: null, category: "", zone: "", cost: 1, once: false };

/** The same for a request that is accepted and claimed in one operation. */
export const rulesOf = (rules: RequestRules | undefined): ClaimedRules =>
  rules === undefined
    ? NO_CLAIMED_RULES
    : {
        uselessAfter: rules.uselessAfter,
        category: rules.category,
        zone: rules.zone,
        cost: rules.cost,
        once: rules.once !== null,
      };
