import type { Endpoint } from "./endpoint";
import { SMS_ENDPOINTS } from "./sms-endpoints";
import { TOKEN_ENDPOINT } from "./token-endpoint";

/** Every endpoint that the simulator serves. */
export const ENDPOINTS: readonly Endpoint[] = [...SMS_ENDPOINTS, TOKEN_ENDPOINT];
