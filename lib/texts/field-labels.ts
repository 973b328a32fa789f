import deAccount from "../../nodes/config/locales/de/messaging-account.json";
import deSmsSend from "../../nodes/sms-send/locales/de/sms-send.json";
import deWhatsappSend from "../../nodes/whatsapp-send/locales/de/whatsapp-send.json";
import deRcsSend from "../../nodes/rcs-send/locales/de/rcs-send.json";
import deMediaTransfer from "../../nodes/media-transfer/locales/de/media-transfer.json";
import deMessageLog from "../../nodes/message-log/locales/de/message-log.json";
import deOptOut from "../../nodes/opt-out/locales/de/opt-out.json";
import deMessageWait from "../../nodes/message-wait/locales/de/message-wait.json";
import deVerifyCode from "../../nodes/verify-code/locales/de/verify-code.json";
import deMessageDigest from "../../nodes/message-digest/locales/de/message-digest.json";
import enAccount from "../../nodes/config/locales/en-US/messaging-account.json";
import enSmsSend from "../../nodes/sms-send/locales/en-US/sms-send.json";
import enWhatsappSend from "../../nodes/whatsapp-send/locales/en-US/whatsapp-send.json";
import enRcsSend from "../../nodes/rcs-send/locales/en-US/rcs-send.json";
import enMediaTransfer from "../../nodes/media-transfer/locales/en-US/media-transfer.json";
import enMessageLog from "../../nodes/message-log/locales/en-US/message-log.json";
import enOptOut from "../../nodes/opt-out/locales/en-US/opt-out.json";
import enMessageWait from "../../nodes/message-wait/locales/en-US/message-wait.json";
import enVerifyCode from "../../nodes/verify-code/locales/en-US/verify-code.json";
import enMessageDigest from "../../nodes/message-digest/locales/en-US/message-digest.json";
import type { Language } from "./catalogues";
import { currentLanguage } from "./say";

type Labels = Readonly<Record<string, string>>;

/** The dialogs' own texts, so that errors match them. */
const LABELS: Readonly<Record<Language, Readonly<Record<string, Labels>>>> = {
  "en-US": {
    "messaging-sms-send": enSmsSend["sms-send"].field,
    "messaging-whatsapp-send": enWhatsappSend["whatsapp-send"].field,
    "messaging-rcs-send": enRcsSend["rcs-send"].field,
    "messaging-media-transfer": enMediaTransfer["media-transfer"].field,
    "messaging-message-log": enMessageLog["message-log"].field,
    "messaging-opt-out": enOptOut["opt-out"].field,
    "messaging-message-wait": enMessageWait["message-wait"].field,
    "messaging-verify-code": enVerifyCode["verify-code"].field,
    "messaging-message-digest": enMessageDigest["message-digest"].field,
  },
  de: {
    "messaging-sms-send": deSmsSend["sms-send"].field,
    "messaging-whatsapp-send": deWhatsappSend["whatsapp-send"].field,
    "messaging-rcs-send": deRcsSend["rcs-send"].field,
    "messaging-media-transfer": deMediaTransfer["media-transfer"].field,
    "messaging-message-log": deMessageLog["message-log"].field,
    "messaging-opt-out": deOptOut["opt-out"].field,
    "messaging-message-wait": deMessageWait["message-wait"].field,
    "messaging-verify-code": deVerifyCode["verify-code"].field,
    "messaging-message-digest": deMessageDigest["message-digest"].field,
  },
};

const SHARED: Readonly<Record<Language, Labels>> = {
  "en-US": { ...enAccount.editor.field, ...enAccount.editor.rules.field },
  de: { ...deAccount.editor.field, ...deAccount.editor.rules.field },
};

/** Returns a label in Node-RED's language, or null without one. */
export function fieldLabel(type: string, name: string): string | null {
  const language = currentLanguage();
  for (const labels of [LABELS[language][type], SHARED[language]]) {
    if (labels !== undefined && Object.hasOwn(labels, name)) {
      return labels[name] ?? null;
    }
  }
  return null;
}
