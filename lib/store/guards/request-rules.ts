/** Sends a message once for a key: to the same recipient not again within a time. */
export interface Once {
  /** Made by the flow, such as `invoice-4711`. At most 200 characters. */
  readonly key: string;
  /** ms from the moment it leaves, for which the key is in use. */
  readonly within: number;
  /** Of the content without recipients and ids: the same key with another one is a fault. */
  readonly hash: string;
}

/** What a request has to keep to when it leaves. The same object serves all requests of a message. */
export interface RequestRules {
  /** Epoch ms before which it does not leave; null for at once. */
  readonly scheduled: number | null;
  /** Epoch ms at which the sending hours begin that it waits for; null where it need not wait for them. Looked at again when it leaves. */
  readonly opens: number | null;
  /** Epoch ms from which it is not sent any more; null for never. */
  readonly uselessAfter: number | null;
  readonly once: Once | null;
  /** Whether it goes to people who opted out as well, such as the confirmation of an opt-out. */
  readonly alsoOptedOut: boolean;
  /** `contentCategory` of the message; blank where it has none. */
  readonly category: string;
  /** Billed messages for each recipient, at least 1: segments of an SMS. */
  readonly cost: number;
  /** Time zone whose sending hours it keeps, such as `Europe/Zurich`; blank for those of the account's settings, null where it may leave at any hour. */
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

/** Zone in the store of a request that may leave at any hour. */
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

/** Their values. */
export const ruleEntry = (rules: RequestRules): readonly (string | number | null)[] => {
  const { scheduled, uselessAfter, once, alsoOptedOut, category, cost, zone } = rules;
  const key = [once?.key ?? null, once?.within ?? null, once?.hash ?? null];
  return [scheduled, uselessAfter, ...key, alsoOptedOut ? 1 : 0, category, cost, zone ?? ANY_HOUR];
};

/** From when a request may be sent, and whether it waits for another rule than its scheduled time. @param now epoch ms */
export function dueOf(
  { scheduled, opens }: RequestRules,
  now: number,
): { readonly due: number | null; readonly postponed: 0 | 1 } {
  const due = Math.max(scheduled ?? 0, opens ?? 0);
  return { due: due > now ? due : null, postponed: opens !== null && opens > (scheduled ?? 0) ? 1 : 0 };
}

/** The rules of a request in the store that are looked at after it was claimed. */
export interface ClaimedRules {
  /** As in `RequestRules`. */
  readonly uselessAfter: number | null;
  readonly category: string;
  readonly zone: string | null;
  readonly cost: number;
  /** Whether it has a once key. */
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

/** The same for a request that is taken and claimed in one. */
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
