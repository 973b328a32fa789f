/** The permission for complete numbers. */
export const READ_OPT_OUTS = "messaging-opt-outs.read";
export const WRITE_OPT_OUTS = "messaging-opt-outs.write";
export const COUNT_OPT_OUTS = "flows.read";

/** `inbound`: the recipient's own message. */
export const OPT_OUT_SOURCES = ["inbound", "flow", "import", "sidebar"] as const;

/** Part of the message contract. */
export interface OptOutRow {
  /** With a plus. */
  readonly number: string;
  readonly scope: "all" | "advertisement";
  /** ISO 8601 in UTC. */
  readonly since: string;
  readonly source: (typeof OPT_OUT_SOURCES)[number];
}

export type OptOutAction = "count" | "list" | "find" | "add" | "remove" | "export";

export const optOutPath = (accountId: string, action: OptOutAction): string =>
  `messaging-account/${encodeURIComponent(accountId)}/opt-outs/${action}`;

export const OPT_OUT_VIEW_PAGE = 50;

export interface OptOutCount {
  readonly count: number;
  /** Whether the list ends with the process. */
  readonly memory: boolean;
}

/** In the order of the numbers, after the previous `next`. */
export interface OptOutPage {
  readonly entries: readonly OptOutRow[];
  /** Blank on the last page. */
  readonly next: string;
}

export interface OptOutFound {
  /** With a plus. */
  readonly number: string;
  /** Null if not listed. */
  readonly entry: OptOutRow | null;
}

export interface OptOutChange {
  readonly number: string;
  readonly changed: boolean;
}

export const OPT_OUT_COLUMNS = ["number", "scope", "since", "source"] as const;
