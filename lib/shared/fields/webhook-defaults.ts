import type { NumberRange } from "./account-defaults";
import { NODE_VALUES } from "./initial-values";

/** English, German, French, Italian and Spanish, a line each (docs/decisions/0024). */
const STOP_WORDS = [
  "STOP, STOPALL, STOP ALL, UNSUBSCRIBE, OPT OUT, OPTOUT, QUIT, REVOKE",
  "STOPP, ABMELDEN, ABMELDUNG, ABBESTELLEN, AUSTRAGEN",
  "ARRÊT, STOP SMS, DÉSABONNER, DÉSABONNEMENT, DÉSINSCRIRE",
  "DISISCRIVI, DISISCRIVIMI, CANCELLAMI",
  "BAJA, DARME DE BAJA, PARAR",
].join("\n");

const START_WORDS = [
  "START, UNSTOP, SUBSCRIBE, OPT IN, OPTIN",
  "ANMELDEN, ABONNIEREN",
  "REPRENDRE, RÉABONNER",
  "INIZIA, ISCRIVIMI",
  "ALTA, REANUDAR",
].join("\n");

/** Times in seconds unless named otherwise, sizes in KiB. */
export const WEBHOOK_DEFAULTS = {
  kind: "inbound",
  channel: "all",
  /** Blank: derived from the node's id. */
  path: "",
  auth: "query",
  headerName: "x-webhook-secret",
  /** Blank: any address. */
  allowedAddresses: "",
  proxyHops: 0,
  publicAddress: "",
  acknowledge: "receipt",
  ackTimeout: 10,
  sizeLimit: 256,
  bodyTimeout: 10,
  rememberHours: 48,
  rememberMost: 20_000,
  optOutWords: true,
  stopWords: STOP_WORDS,
  startWords: START_WORDS,
  optOutScope: "all",
} as const;

export const WEBHOOK_RANGES = {
  proxyHops: { min: 0, max: 10, whole: true },
  ackTimeout: { min: 1, max: 300, whole: false },
  sizeLimit: { min: 1, max: 4096, whole: true },
  bodyTimeout: { min: 1, max: 120, whole: false },
  rememberHours: { min: 1, max: 720, whole: false },
  rememberMost: { min: 100, max: 100_000, whole: true },
} as const satisfies Readonly<Record<string, NumberRange>>;

export const WEBHOOK_PORTS = { inbound: 2, status: 4 } as const;

/** All properties of a new webhook-in node. */
export const WEBHOOK_VALUES = {
  ...NODE_VALUES,
  ...WEBHOOK_DEFAULTS,
  outputs: WEBHOOK_PORTS[WEBHOOK_DEFAULTS.kind],
} as const;
