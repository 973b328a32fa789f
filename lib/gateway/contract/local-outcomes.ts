/**
 * Outcomes without a status code of the service: HTTP statuses alone ("bare"), and faults found on this side
 * ("local"). The columns are those of the status codes in `lib/shared/outcomes.ts`. docs/service.md, Assumptions.
 */
import type { Outcome, Retry, Throttle } from "../../shared/outcomes";

export interface LocalOutcome {
  readonly name: string;
  readonly outcome: Outcome;
  readonly retry: Retry;
  readonly throttle: Throttle;
  /** For a request that its node stopped: whether that was before or after it left. Null for all others. */
  readonly stopped: "unsent" | "sent" | null;
  /** One sentence. */
  readonly meaning: string;
  /** What the user does about it. */
  readonly advice: string;
}

/** A row of a table: its name is its key, and most rows throttle nothing. */
type Row = Omit<LocalOutcome, "name" | "throttle" | "stopped"> &
  Partial<Pick<LocalOutcome, "throttle" | "stopped">>;

const named = (
  name: string,
  { outcome, retry, throttle = "none", stopped = null, meaning, advice }: Row,
) => ({
  name,
  outcome,
  retry,
  throttle,
  stopped,
  meaning,
  advice,
});

const CHECK_FIRST =
  "It is unknown whether it was sent. Look for a delivery report or a status event with this clientMessageId before sending again.";
const RETRY_SAFE = "Nothing was sent; sending it again is safe.";

const FAULT_ROWS = {
  FIELD_INVALID: {
    outcome: "rejected",
    retry: "never",
    meaning: "A field of the message breaks a rule of the service.",
    advice: "Correct the field that is named and send again; nothing was sent.",
  },
  FIELD_UNRESOLVED: {
    outcome: "rejected",
    retry: "never",
    meaning: "A field is set in the node, but its source holds no value.",
    advice:
      "Set the message property, context value or variable that is named, or blank the field in the node; nothing was sent.",
  },
  TEXT_NOT_LATIN1: {
    outcome: "rejected",
    retry: "never",
    meaning: "The text holds a character that the chosen interface cannot carry.",
    advice:
      "Set the node's interface to automatic or JSON, or remove the character that is named; nothing was sent.",
  },
  RECIPIENTS_MISSING: {
    outcome: "rejected",
    retry: "never",
    meaning: "The message has no recipient.",
    advice: "Put at least one number into the recipients field, for example +41791234567; nothing was sent.",
  },
  RECIPIENTS_INVALID: {
    outcome: "rejected",
    retry: "never",
    meaning: "These recipients are not mobile numbers that can be sent to.",
    advice:
      "Correct the numbers that are named: international form with plus, for example +41791234567. All others were handled separately.",
  },
  QUEUE_FULL: {
    outcome: "retry-later",
    // A retry fills the queue further.
    retry: "never",
    meaning: "The account's queue is full.",
    advice: `Send more slowly, or raise the queue limit or the number of connections in the account. ${RETRY_SAFE}`,
  },
  CLOSING: {
    outcome: "retry-later",
    // The node is gone before a retry is due.
    retry: "never",
    stopped: "unsent",
    meaning: "The flow was stopped or deployed anew before this message left.",
    advice: RETRY_SAFE,
  },
  NAME_LOOKUP_FAILED: {
    outcome: "retry-later",
    retry: "back-off",
    meaning: "The name of the service's host could not be looked up.",
    advice: `Check the service address in the account and this computer's network. ${RETRY_SAFE}`,
  },
  CONNECT_FAILED: {
    outcome: "retry-later",
    retry: "back-off",
    meaning: "No connection to the service could be made.",
    advice: `Check the service address in the account, the network and any firewall. ${RETRY_SAFE}`,
  },
  CONNECT_TIMEOUT: {
    outcome: "retry-later",
    retry: "back-off",
    meaning: "The service did not take the connection in time.",
    advice: `Check the network and any firewall, or raise the connect timeout in the account. ${RETRY_SAFE}`,
  },
  TLS_FAILED: {
    outcome: "retry-later",
    retry: "back-off",
    meaning: "The encrypted connection to the service failed, so the service's identity is not proven.",
    advice: `Check the service address, this computer's clock, and the TLS configuration in the account. ${RETRY_SAFE}`,
  },
  PROXY_FAILED: {
    outcome: "retry-later",
    retry: "back-off",
    meaning: "The HTTP proxy did not open a way to the service.",
    advice: `Check the proxy's address and that it allows the service's host. ${RETRY_SAFE}`,
  },
  PROXY_DENIED: {
    outcome: "denied",
    retry: "never",
    meaning: "The HTTP proxy refused the credentials.",
    advice: "Check user name and password of the proxy; nothing was sent.",
  },
  TOKEN_UNAVAILABLE: {
    outcome: "retry-later",
    retry: "back-off",
    meaning: "The token service could not be reached or did not answer properly.",
    advice: `Check the token service address in the account and the network. ${RETRY_SAFE}`,
  },
  TOKEN_REFUSED: {
    outcome: "denied",
    retry: "never",
    meaning: "The token service refused the client credentials or the scope.",
    advice:
      "Check client id and client secret in the account, and ask the provider which scopes they allow; nothing was sent.",
  },
  CONNECTION_LOST: {
    outcome: "unknown",
    retry: "reads",
    meaning: "The connection broke after the request had left and before an answer came.",
    advice: CHECK_FIRST,
  },
  NO_ANSWER: {
    outcome: "unknown",
    retry: "reads",
    meaning: "The request left, but no complete answer came in time.",
    advice: CHECK_FIRST,
  },
  ANSWER_UNREADABLE: {
    outcome: "unknown",
    // Not even a read: another attempt brings the same answer, and of a large file the same amount.
    retry: "never",
    meaning: "An answer came that is not one of this service.",
    advice: `Check that the service address in the account is right. ${CHECK_FIRST}`,
  },
  ANSWER_CONTRADICTORY: {
    outcome: "unknown",
    retry: "never",
    meaning: "The answer says both that the message was taken and that it was not.",
    advice: CHECK_FIRST,
  },
  FILE_UNREADABLE: {
    outcome: "rejected",
    retry: "never",
    meaning: "The file to be uploaded cannot be read.",
    advice: "Check the path and that Node-RED may read the file; nothing was sent.",
  },
  FILE_CHANGED: {
    outcome: "unknown",
    retry: "reads",
    meaning: "The file changed while it was being sent, so the request was broken off.",
    advice: `Upload a file only when it is complete. ${CHECK_FIRST}`,
  },
  FILE_TOO_LARGE: {
    outcome: "rejected",
    retry: "never",
    meaning: "The file is larger than the limit that is set in the node.",
    advice: "Raise the limit in the node, or move a smaller file.",
  },
  FILE_EXISTS: {
    outcome: "rejected",
    retry: "never",
    meaning: "A file of this name is there already, and the node is set to keep it.",
    advice: "Choose another name or another folder, or let the node number or replace files.",
  },
  FILE_UNWRITABLE: {
    outcome: "denied",
    retry: "never",
    meaning: "The file could not be written to the folder that is set in the node.",
    advice:
      "Check that the folder exists, that Node-RED may write to it, and that the disk has room; then ask for the file again.",
  },
  INTERNAL_FAULT: {
    outcome: "unknown",
    retry: "reads",
    meaning: "An internal fault of these nodes happened while sending.",
    advice: `Please report it with the text in brackets. ${CHECK_FIRST}`,
  },
  STOPPED_WAITING: {
    outcome: "unknown",
    retry: "reads",
    stopped: "sent",
    meaning: "The flow was stopped or deployed anew while the answer was awaited.",
    advice: CHECK_FIRST,
  },
} as const satisfies Readonly<Record<string, Row>>;

export type LocalFault = keyof typeof FAULT_ROWS;

/** Faults found on this side. The key is the `statusName` of the result. */
export const LOCAL_FAULTS = Object.fromEntries(
  Object.entries(FAULT_ROWS).map(([name, row]) => [name, named(name, row)]),
) as Readonly<Record<LocalFault, LocalOutcome>>;

/** An answer that is the file or the id of the file, without a code of the service. */
export const MOVED_FILE: LocalOutcome = named("OK", {
  outcome: "sent",
  retry: "never",
  meaning: "The file was transferred.",
  advice: "Nothing to do.",
});

interface BareRow extends Row {
  readonly from: number;
  readonly to: number;
}

const CHECK_SET_UP =
  "Check the service address and the paths in the account, the credentials, and any proxy on the way; nothing was sent.";

/** First match wins: single statuses before their ranges. */
const BARE_ROWS: readonly BareRow[] = [
  {
    from: 300,
    to: 399,
    outcome: "denied",
    retry: "never",
    meaning: "The service's address answers with a redirect, which is never followed.",
    advice: CHECK_SET_UP,
  },
  {
    from: 401,
    to: 401,
    outcome: "denied",
    retry: "never",
    meaning: "The credentials were not accepted.",
    advice: CHECK_SET_UP,
  },
  {
    from: 403,
    to: 403,
    outcome: "denied",
    retry: "never",
    meaning: "Access was forbidden.",
    advice: CHECK_SET_UP,
  },
  {
    from: 404,
    to: 405,
    outcome: "denied",
    retry: "never",
    meaning: "There is no such endpoint at the service's address.",
    advice: CHECK_SET_UP,
  },
  {
    from: 407,
    to: 407,
    outcome: "denied",
    retry: "never",
    meaning: "A proxy asks for credentials.",
    advice: CHECK_SET_UP,
  },
  {
    from: 408,
    to: 408,
    outcome: "unknown",
    retry: "reads",
    meaning: "Something on the way gave up waiting.",
    advice: CHECK_FIRST,
  },
  {
    from: 409,
    to: 409,
    outcome: "unknown",
    retry: "reads",
    meaning: "The request conflicts with another one, perhaps with a copy of itself.",
    advice: CHECK_FIRST,
  },
  {
    from: 429,
    to: 429,
    outcome: "retry-later",
    retry: "back-off",
    throttle: "origin",
    meaning: "Too many requests.",
    advice: `Set a lower number of requests per second in the account. ${RETRY_SAFE}`,
  },
  {
    from: 400,
    to: 499,
    outcome: "rejected",
    retry: "never",
    meaning: "The request could not be accepted.",
    advice: "Check the fields of the message, and the service address in the account; nothing was sent.",
  },
  {
    from: 500,
    to: 599,
    outcome: "unknown",
    retry: "reads",
    meaning: "The service, or something on the way to it, failed.",
    advice: CHECK_FIRST,
  },
];

/**
 * Outcome of an HTTP status whose body holds no readable status code.
 * @param refusedAt503 the account's setting that a bare 503 means the message was not accepted
 */
export function findBareStatus(httpStatus: number, refusedAt503 = false): LocalOutcome {
  const name = `HTTP_${httpStatus}`;
  if (httpStatus === 503 && refusedAt503) {
    return named(name, {
      outcome: "retry-later",
      retry: "back-off",
      meaning: "The service is not available at the moment.",
      advice: `${RETRY_SAFE} (The account says that a bare 503 means not accepted.)`,
    });
  }
  const row = BARE_ROWS.find(({ from, to }) => httpStatus >= from && httpStatus <= to);
  return row === undefined ? LOCAL_FAULTS.ANSWER_UNREADABLE : named(name, row);
}

/** What a status code means that the service does not list. Its range decides. */
export function unlistedCode(code: number): LocalOutcome {
  const clientSide = code >= 4000 && code <= 4999;
  return named(`CODE_${code}`, {
    outcome: clientSide ? "rejected" : "unknown",
    retry: clientSide ? "never" : "reads",
    meaning: "The service answered with a code that its interface description does not list.",
    advice: clientSide ? "Read the service's own words and ask the provider; nothing was sent." : CHECK_FIRST,
  });
}
