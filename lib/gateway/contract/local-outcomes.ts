/**
 * Outcomes of answers and faults that carry no status code of the service: HTTP statuses alone ("bare") and
 * what this side found itself ("local"). Same columns as the status codes.
 */
import type { Outcome } from "../../shared/outcomes";

export interface LocalOutcome {
  readonly name: string;
  readonly outcome: Outcome;
  readonly meaning: string;
  readonly advice: string;
}

const CHECK_FIRST =
  "Nobody can say whether it was sent. Look for a delivery report or a status event with this clientMessageId before sending again.";
const RETRY_SAFE = "Nothing was sent; sending it again is safe.";

/** Faults found on this side. The key is the `statusName` of the result. */
export const LOCAL_FAULTS = {
  FIELD_INVALID: {
    name: "FIELD_INVALID",
    outcome: "rejected",
    meaning: "A field of the message breaks a rule of the service.",
    advice: "Correct the field that is named and send again; nothing was sent.",
  },
  FIELD_UNRESOLVED: {
    name: "FIELD_UNRESOLVED",
    outcome: "rejected",
    meaning: "A field is set in the node, but its source holds no value.",
    advice:
      "Set the message property, context value or variable that is named, or blank the field in the node; nothing was sent.",
  },
  TEXT_NOT_LATIN1: {
    name: "TEXT_NOT_LATIN1",
    outcome: "rejected",
    meaning: "The text holds a character that the chosen interface cannot carry.",
    advice:
      "Set the node's interface to automatic or JSON, or remove the character that is named; nothing was sent.",
  },
  RECIPIENTS_MISSING: {
    name: "RECIPIENTS_MISSING",
    outcome: "rejected",
    meaning: "The message has no recipient.",
    advice: "Put at least one number into the recipients field, for example +41791234567; nothing was sent.",
  },
  RECIPIENTS_INVALID: {
    name: "RECIPIENTS_INVALID",
    outcome: "rejected",
    meaning: "These recipients are not mobile numbers that can be sent to.",
    advice:
      "Correct the numbers that are named: international form with plus, for example +41791234567. All others were handled separately.",
  },
  QUEUE_FULL: {
    name: "QUEUE_FULL",
    outcome: "retry-later",
    meaning: "The account's queue is full.",
    advice: `Send more slowly, or raise the queue limit or the number of connections in the account. ${RETRY_SAFE}`,
  },
  CLOSING: {
    name: "CLOSING",
    outcome: "retry-later",
    meaning: "The flow was stopped or deployed anew before this message left.",
    advice: RETRY_SAFE,
  },
  NAME_LOOKUP_FAILED: {
    name: "NAME_LOOKUP_FAILED",
    outcome: "retry-later",
    meaning: "The name of the service's host could not be looked up.",
    advice: `Check the service address in the account and this computer's network. ${RETRY_SAFE}`,
  },
  CONNECT_FAILED: {
    name: "CONNECT_FAILED",
    outcome: "retry-later",
    meaning: "No connection to the service could be made.",
    advice: `Check the service address in the account, the network and any firewall. ${RETRY_SAFE}`,
  },
  CONNECT_TIMEOUT: {
    name: "CONNECT_TIMEOUT",
    outcome: "retry-later",
    meaning: "The service did not take the connection in time.",
    advice: `Check the network and any firewall, or raise the connect timeout in the account. ${RETRY_SAFE}`,
  },
  TLS_FAILED: {
    name: "TLS_FAILED",
    outcome: "retry-later",
    meaning: "The encrypted connection to the service failed, so the service's identity is not proven.",
    advice: `Check the service address, this computer's clock, and the TLS configuration in the account. ${RETRY_SAFE}`,
  },
  PROXY_FAILED: {
    name: "PROXY_FAILED",
    outcome: "retry-later",
    meaning: "The HTTP proxy did not open a way to the service.",
    advice: `Check the proxy's address and that it allows the service's host. ${RETRY_SAFE}`,
  },
  PROXY_DENIED: {
    name: "PROXY_DENIED",
    outcome: "denied",
    meaning: "The HTTP proxy refused the credentials.",
    advice: "Check user name and password of the proxy; nothing was sent.",
  },
  TOKEN_UNAVAILABLE: {
    name: "TOKEN_UNAVAILABLE",
    outcome: "retry-later",
    meaning: "The token service could not be reached or did not answer properly.",
    advice: `Check the token service address in the account and the network. ${RETRY_SAFE}`,
  },
  TOKEN_REFUSED: {
    name: "TOKEN_REFUSED",
    outcome: "denied",
    meaning: "The token service refused the client credentials or the scope.",
    advice:
      "Check client id and client secret in the account, and ask the provider which scopes they allow; nothing was sent.",
  },
  CONNECTION_LOST: {
    name: "CONNECTION_LOST",
    outcome: "unknown",
    meaning: "The connection broke after the request had left and before an answer came.",
    advice: CHECK_FIRST,
  },
  NO_ANSWER: {
    name: "NO_ANSWER",
    outcome: "unknown",
    meaning: "The request left, but no complete answer came in time.",
    advice: CHECK_FIRST,
  },
  ANSWER_UNREADABLE: {
    name: "ANSWER_UNREADABLE",
    outcome: "unknown",
    meaning: "An answer came that is not one of this service.",
    advice: `Check that the service address in the account is right. ${CHECK_FIRST}`,
  },
  ANSWER_CONTRADICTORY: {
    name: "ANSWER_CONTRADICTORY",
    outcome: "unknown",
    meaning: "The answer says both that the message was taken and that it was not.",
    advice: CHECK_FIRST,
  },
  FILE_UNREADABLE: {
    name: "FILE_UNREADABLE",
    outcome: "rejected",
    meaning: "The file to be uploaded cannot be read.",
    advice: "Check the path and that Node-RED may read the file; nothing was sent.",
  },
  FILE_CHANGED: {
    name: "FILE_CHANGED",
    outcome: "unknown",
    meaning: "The file changed while it was being sent, so the request was broken off.",
    advice: `Upload a file only when it is complete. ${CHECK_FIRST}`,
  },
  FILE_TOO_LARGE: {
    name: "FILE_TOO_LARGE",
    outcome: "rejected",
    meaning: "The file is larger than the limit that is set in the node.",
    advice: "Raise the limit in the node, or move a smaller file.",
  },
  FILE_EXISTS: {
    name: "FILE_EXISTS",
    outcome: "rejected",
    meaning: "A file of this name is there already, and the node is set to keep it.",
    advice: "Choose another name or another folder, or let the node number or replace files.",
  },
  FILE_UNWRITABLE: {
    name: "FILE_UNWRITABLE",
    outcome: "denied",
    meaning: "The file could not be written to the folder that is set in the node.",
    advice:
      "Check that the folder exists, that Node-RED may write to it, and that the disk has room; then ask for the file again.",
  },
  INTERNAL_FAULT: {
    name: "INTERNAL_FAULT",
    outcome: "unknown",
    meaning: "These nodes made a mistake of their own while sending.",
    advice: `Please report it together with the text in brackets. ${CHECK_FIRST}`,
  },
  STOPPED_WAITING: {
    name: "STOPPED_WAITING",
    outcome: "unknown",
    meaning: "The flow was stopped or deployed anew while the answer was awaited.",
    advice: CHECK_FIRST,
  },
} as const satisfies Readonly<Record<string, LocalOutcome>>;

export type LocalFault = keyof typeof LOCAL_FAULTS;

/** An answer that is the file or the id of the file, without a code of the service. */
export const MOVED_FILE: LocalOutcome = {
  name: "OK",
  outcome: "sent",
  meaning: "The file was transferred.",
  advice: "Nothing to do.",
};

interface BareRow extends Omit<LocalOutcome, "name"> {
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
    meaning: "The service's address answers with a redirect, which is never followed.",
    advice: CHECK_SET_UP,
  },
  {
    from: 401,
    to: 401,
    outcome: "denied",
    meaning: "The credentials were not accepted.",
    advice: CHECK_SET_UP,
  },
  { from: 403, to: 403, outcome: "denied", meaning: "Access was forbidden.", advice: CHECK_SET_UP },
  {
    from: 404,
    to: 405,
    outcome: "denied",
    meaning: "There is no such endpoint at the service's address.",
    advice: CHECK_SET_UP,
  },
  {
    from: 407,
    to: 407,
    outcome: "denied",
    meaning: "A proxy asks for credentials.",
    advice: CHECK_SET_UP,
  },
  {
    from: 408,
    to: 408,
    outcome: "unknown",
    meaning: "Something on the way gave up waiting.",
    advice: CHECK_FIRST,
  },
  {
    from: 409,
    to: 409,
    outcome: "unknown",
    meaning: "The request conflicts with another one, perhaps with a copy of itself.",
    advice: CHECK_FIRST,
  },
  {
    from: 429,
    to: 429,
    outcome: "retry-later",
    meaning: "Too many requests.",
    advice: `Set a lower number of requests per second in the account. ${RETRY_SAFE}`,
  },
  {
    from: 400,
    to: 499,
    outcome: "rejected",
    meaning: "The request could not be accepted.",
    advice: "Check the fields of the message, and the service address in the account; nothing was sent.",
  },
  {
    from: 500,
    to: 599,
    outcome: "unknown",
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
    return {
      name,
      outcome: "retry-later",
      meaning: "The service is not available at the moment.",
      advice: `${RETRY_SAFE} (The account says that a bare 503 means not accepted.)`,
    };
  }
  const row = BARE_ROWS.find(({ from, to }) => httpStatus >= from && httpStatus <= to);
  return row === undefined
    ? LOCAL_FAULTS.ANSWER_UNREADABLE
    : { name, outcome: row.outcome, meaning: row.meaning, advice: row.advice };
}

/** What an unlisted status code of the service means: its range decides. */
export function unlistedCode(code: number): LocalOutcome {
  const clientSide = code >= 4000 && code <= 4999;
  return {
    name: `CODE_${code}`,
    outcome: clientSide ? "rejected" : "unknown",
    meaning: "The service answered with a code that its interface description does not list.",
    advice: clientSide ? "Read the service's own words and ask the provider; nothing was sent." : CHECK_FIRST,
  };
}
