import type { Feature } from "../../lib/runtime/feature";
import { RCS_CHANNEL } from "./runtime/rcs-channel";

export const RCS_SEND: Feature = { channel: { type: "messaging-rcs-send", definition: RCS_CHANNEL } };
