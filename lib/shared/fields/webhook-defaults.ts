import type { NumberRange } from "./account-defaults";

/** Words by which people stop messages, a line for each of English, German, French, Italian and Spanish. docs/decisions/0024. */
const STOP_WORDS = [
  "STOP, STOPALL, STOP ALL, UNSUBSCRIBE, OPT OUT, OPTOUT, QUIT",
  "STOPP, ABMELDEN, ABMELDUNG, ABBESTELLEN, AUSTRAGEN",
  "ARRÊT, STOP SMS, DÉSABONNER, DÉSABONNEMENT, DÉSINSCRIRE",
  "DISISCRIVI, DISISCRIVIMI, CANCELLAMI",
  "BAJA, DARME DE BAJA, PARAR",
].join("\n");

/** Words by which they want messages again. */
const START_WORDS = [
  "START, UNSTOP, SUBSCRIBE, OPT IN, OPTIN",
  "ANMELDEN, ABONNIEREN",
  "REPRENDRE, RÉABONNER",
  "INIZIA, ISCRIVIMI",
  "ALTA, REANUDAR",
].join("\n");

/**
 * What a new webhook-in node starts with, and the ranges of its numbers. Edit dialog and runtime read the same
 * table. Times in seconds unless the name says otherwise, sizes in KiB, as users type them.
 */
export const WEBHOOK_DEFAULTS = {
  kind: "inbound",
  /** Of status messages: `all`, or the channel whose statuses leave by *delivered* and *failed*. */
  channel: "all",
  /** Blank: made of the node's id. */
  path: "",
  auth: "query",
  headerName: "x-webhook-secret",
  /** Blank: everybody. */
  allowedAddresses: "",
  proxyHops: 0,
  publicAddress: "",
  acknowledge: "receipt",
  ackTimeout: 10,
  sizeLimit: 256,
  bodyTimeout: 10,
  rememberHours: 48,
  rememberMost: 20_000,
  /** Whether stop words and start words change the account's list of opt-outs. */
  optOutWords: true,
  stopWords: STOP_WORDS,
  startWords: START_WORDS,
  /** What a stop word stops: `all` messages, or `advertisement` only. */
  optOutScope: "all",
} as const;

/** Both ends included. */
export const WEBHOOK_RANGES = {
  proxyHops: { min: 0, max: 10, whole: true },
  ackTimeout: { min: 1, max: 300, whole: false },
  sizeLimit: { min: 1, max: 4096, whole: true },
  bodyTimeout: { min: 1, max: 120, whole: false },
  rememberHours: { min: 1, max: 720, whole: false },
  rememberMost: { min: 100, max: 100_000, whole: true },
} as const satisfies Readonly<Record<string, NumberRange>>;

/** Outputs of each kind of webhook. */
export const WEBHOOK_PORTS = { inbound: 2, status: 4 } as const;
