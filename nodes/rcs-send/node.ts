import { RCS_CHANNEL } from "./runtime/rcs-channel";
import { sendNode } from "../../lib/runtime/send/send-node";

export const NODE = sendNode(RCS_CHANNEL);
