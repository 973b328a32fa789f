import { ACCOUNT_DEFAULTS } from "./account-defaults";
import { CODE_DEFAULTS, CODE_FIELDS, CODE_KINDS, CODE_PORTS } from "./code-fields";
import { DIGEST_DEFAULTS, DIGEST_FIELDS, DIGEST_OUTPUTS } from "./digest-fields";
import { type FieldSpec, sourceProperty } from "./field-spec";
import { LOG_FIELDS, LOG_KINDS } from "./log-fields";
import { MEDIA_FIELDS, MEDIA_KINDS, MEDIA_OUTPUTS, MEDIA_SETTINGS } from "./media-fields";
import { OPT_OUT_FIELDS, OPT_OUT_KINDS, OPT_OUT_PORTS } from "./opt-out-fields";
import { POSITION_FORMS, RCS_FIELDS, RCS_KINDS } from "./rcs-fields";
import { RULE_DEFAULTS, RULE_FIELDS } from "./rule-fields";
import { SMS_FIELDS, SMS_INTERFACES } from "./sms-fields";
import { WAIT_DEFAULTS, WAIT_FIELDS, WAIT_KINDS, waitPorts } from "./wait-fields";
import { WEBHOOK_DEFAULTS, WEBHOOK_PORTS } from "./webhook-defaults";
import { WHATSAPP_FIELDS, WHATSAPP_KINDS } from "./whatsapp-fields";
import { TEXT_DEFAULTS } from "./text-settings";

type Values = Readonly<Record<string, unknown>>;

const fieldValues = (specs: readonly FieldSpec[]): Values =>
  Object.fromEntries(
    specs.flatMap(({ name, initial: { source, value } }) => [
      [name, source === "list" ? [] : value],
      [sourceProperty(name), source],
    ]),
  );

const NODE = { name: "", account: "" } as const;
const SENDER = { ...NODE, resultProperty: "result", outputs: 4 } as const;
const CHANNEL = { ...SENDER, ...fieldValues(RULE_FIELDS), ...RULE_DEFAULTS, ...TEXT_DEFAULTS } as const;

/** Values for properties that a node lacks (docs/decisions/0016). */
export const INITIAL_VALUES = {
  "messaging-account": { name: "", tls: "", proxy: "", storeTls: "", paths: {}, ...ACCOUNT_DEFAULTS },
  "messaging-sms-send": { ...CHANNEL, interface: SMS_INTERFACES[0], ...fieldValues(SMS_FIELDS) },
  "messaging-whatsapp-send": {
    ...CHANNEL,
    kind: WHATSAPP_KINDS[0],
    templateText: "",
    ...fieldValues(WHATSAPP_FIELDS),
  },
  "messaging-rcs-send": {
    ...CHANNEL,
    kind: RCS_KINDS[0],
    positionAs: POSITION_FORMS[0],
    ...fieldValues(RCS_FIELDS),
  },
  "messaging-media-transfer": {
    ...SENDER,
    kind: MEDIA_KINDS[0],
    ...MEDIA_SETTINGS,
    ...fieldValues(MEDIA_FIELDS),
    outputs: MEDIA_OUTPUTS,
  },
  "messaging-message-log": {
    ...NODE,
    kind: LOG_KINDS[0],
    openMetrics: false,
    resultProperty: "payload",
    ...fieldValues(LOG_FIELDS),
  },
  "messaging-message-wait": {
    ...NODE,
    kind: WAIT_KINDS[0],
    ...WAIT_DEFAULTS,
    outputs: waitPorts(WAIT_KINDS[0], WAIT_DEFAULTS.match, WAIT_DEFAULTS.others),
    ...fieldValues(WAIT_FIELDS),
  },
  "messaging-opt-out": {
    ...NODE,
    kind: OPT_OUT_KINDS[0],
    resultProperty: "optOut",
    outputs: OPT_OUT_PORTS[OPT_OUT_KINDS[0]],
    ...fieldValues(OPT_OUT_FIELDS),
  },
  "messaging-verify-code": {
    ...NODE,
    kind: CODE_KINDS[0],
    ...CODE_DEFAULTS,
    outputs: CODE_PORTS[CODE_KINDS[0]],
    ...fieldValues(CODE_FIELDS),
  },
  "messaging-message-digest": {
    ...NODE,
    ...DIGEST_DEFAULTS,
    outputs: DIGEST_OUTPUTS,
    ...fieldValues(DIGEST_FIELDS),
  },
  "messaging-webhook-in": { ...NODE, ...WEBHOOK_DEFAULTS, outputs: WEBHOOK_PORTS[WEBHOOK_DEFAULTS.kind] },
  "messaging-webhook-ack": { name: "", answer: "acknowledge" },
} as const satisfies Readonly<Record<string, Values>>;

export type NodeType = keyof typeof INITIAL_VALUES;

export const isNodeType = (type: string): type is NodeType => Object.hasOwn(INITIAL_VALUES, type);

export function withInitialValues<Config extends object>(type: NodeType, config: Partial<Config>): Config {
  const given = Object.entries(config).filter(([, value]) => value !== undefined && value !== null);
  return { ...config, ...INITIAL_VALUES[type], ...Object.fromEntries(given) } as Config;
}
