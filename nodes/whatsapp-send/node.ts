import { WHATSAPP_CHANNEL } from "../../lib/runtime/channels/whatsapp-channel";
import { sendNode } from "../../lib/runtime/send/send-node";

export const NODE = sendNode(WHATSAPP_CHANNEL);
