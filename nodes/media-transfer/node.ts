import { MEDIA_CHANNEL } from "./runtime/media-channel";
import { sendNode } from "../../lib/runtime/send/send-node";

export const NODE = sendNode(MEDIA_CHANNEL);
