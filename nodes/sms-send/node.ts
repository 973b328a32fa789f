import { SMS_CHANNEL } from "../../lib/runtime/channels/sms-channel";
import { sendNode } from "../../lib/runtime/send/send-node";

export const NODE = sendNode(SMS_CHANNEL);
