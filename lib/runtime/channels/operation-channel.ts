import type { OperationId } from "../../gateway/contract/operations";
import type { MessageChannel } from "../../shared/message-channel";

/** Null for operations without recipients. */
const CHANNELS: Readonly<Record<OperationId, MessageChannel | null>> = {
  "sms-form": "sms",
  "sms-get": "sms",
  "sms-json": "sms",
  "whatsapp-broadcast": "whatsapp",
  "whatsapp-text": "whatsapp",
  "whatsapp-media": "whatsapp",
  "whatsapp-template": "whatsapp",
  rcs: "rcs",
  "attachment-create": null,
  "media-upload": null,
  "media-download": null,
  token: null,
};

const isOperation = (name: string): name is OperationId => Object.hasOwn(CHANNELS, name);

export const operationChannel = (operation: string): MessageChannel | null =>
  isOperation(operation) ? CHANNELS[operation] : null;
