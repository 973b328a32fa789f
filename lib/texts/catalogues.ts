import deAccount from "./de/account.json";
import deBadges from "./de/badges.json";
import deFields from "./de/fields.json";
import deFiles from "./de/files.json";
import deOptOuts from "./de/opt-outs.json";
import deOutcomes from "./de/outcomes.json";
import deRecipients from "./de/recipients.json";
import deRecord from "./de/record.json";
import deSend from "./de/send.json";
import deService from "./de/service.json";
import deSources from "./de/sources.json";
import deStore from "./de/store.json";
import deValues from "./de/values.json";
import deWaits from "./de/waits.json";
import deWebhook from "./de/webhook.json";
import enAccount from "./en-US/account.json";
import enBadges from "./en-US/badges.json";
import enFields from "./en-US/fields.json";
import enFiles from "./en-US/files.json";
import enOptOuts from "./en-US/opt-outs.json";
import enOutcomes from "./en-US/outcomes.json";
import enRecipients from "./en-US/recipients.json";
import enRecord from "./en-US/record.json";
import enSend from "./en-US/send.json";
import enService from "./en-US/service.json";
import enSources from "./en-US/sources.json";
import enStore from "./en-US/store.json";
import enValues from "./en-US/values.json";
import enWaits from "./en-US/waits.json";
import enWebhook from "./en-US/webhook.json";

/** All languages have the same keys. */
const ENGLISH = {
  account: enAccount,
  badges: enBadges,
  fields: enFields,
  files: enFiles,
  optOuts: enOptOuts,
  outcomes: enOutcomes,
  recipients: enRecipients,
  record: enRecord,
  send: enSend,
  service: enService,
  sources: enSources,
  store: enStore,
  values: enValues,
  waits: enWaits,
  webhook: enWebhook,
};

export type Catalogue = typeof ENGLISH;

/** By the language names of Node-RED. */
export const CATALOGUES = {
  "en-US": ENGLISH,
  de: {
    account: deAccount,
    badges: deBadges,
    fields: deFields,
    files: deFiles,
    optOuts: deOptOuts,
    outcomes: deOutcomes,
    recipients: deRecipients,
    record: deRecord,
    send: deSend,
    service: deService,
    sources: deSources,
    store: deStore,
    values: deValues,
    waits: deWaits,
    webhook: deWebhook,
  },
} as const satisfies Readonly<Record<string, Catalogue>>;

export type Language = keyof typeof CATALOGUES;

export type Path<T> = {
  [Key in keyof T & string]: T[Key] extends string ? Key : `${Key}.${Path<T[Key]>}`;
}[keyof T & string];

export type TextKey = Path<Catalogue>;
