export { MESSAGE_DIGEST } from "./nodes/message-digest/feature";
export { RCS_SEND } from "./nodes/rcs-send/feature";
export { VERIFY_CODE } from "./nodes/verify-code/feature";
