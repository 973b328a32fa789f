export { MESSAGE_DIGEST } from "./nodes/message-digest/feature";
export { VERIFY_CODE } from "./nodes/verify-code/feature";
