/** Shapes that travel between the opt-outs in the sidebar and the runtime, and the permissions that they take. */

/** Who may look at complete numbers. */
export const READ_OPT_OUTS = "messaging-opt-outs.read";
/** Who may add numbers and take them off. */
export const WRITE_OPT_OUTS = "messaging-opt-outs.write";
/** Who sees how many there are. */
export const COUNT_OPT_OUTS = "flows.read";

/** Where an entry comes from; `inbound` is a message of the person. */
export const OPT_OUT_SOURCES = ["inbound", "flow", "import", "sidebar"] as const;

/** An entry of the list as a flow and the sidebar get it. Part of the message contract. */
export interface OptOutRow {
  /** With a plus. */
  readonly number: string;
  readonly scope: "all" | "advertisement";
  /** ISO 8601 in UTC. */
  readonly since: string;
  readonly source: (typeof OPT_OUT_SOURCES)[number];
}

export type OptOutAction = "count" | "list" | "find" | "add" | "remove" | "export";

/** Below the admin root. */
export const optOutPath = (accountId: string, action: OptOutAction): string =>
  `messaging-account/${encodeURIComponent(accountId)}/opt-outs/${action}`;

/** Entries of a page. */
export const OPT_OUT_VIEW_PAGE = 50;

/** Answer to `count`. */
export interface OptOutCount {
  readonly count: number;
  /** Whether the list lasts only as long as the process of Node-RED. */
  readonly memory: boolean;
}

/** Answer to `list` with the `next` of the page before as `after`; blank for the first page. In the order of the numbers. */
export interface OptOutPage {
  readonly entries: readonly OptOutRow[];
  /** Blank where this page is the last one. */
  readonly next: string;
}

/** Answer to `find` with a `number` in any usual spelling. */
export interface OptOutFound {
  /** With a plus, as it was understood. */
  readonly number: string;
  /** Null where the number is not in the list. */
  readonly entry: OptOutRow | null;
}

/** Answer to `add` with `number` and `scope`, and to `remove` with `number`. */
export interface OptOutChange {
  readonly number: string;
  /** False where the list was so already. */
  readonly changed: boolean;
}

/** Columns of the export, in order. */
export const OPT_OUT_COLUMNS = ["number", "scope", "since", "source"] as const;
