import type { Endpoint } from "./endpoint";
import { MEDIA_ENDPOINTS } from "./media-endpoints";
import { OAUTH_ENDPOINTS } from "./oauth-endpoints";
import { SMS_ENDPOINTS } from "./sms-endpoints";
import { TOKEN_ENDPOINT } from "./token-endpoint";
import { WHATSAPP_LEGACY_ENDPOINTS } from "./whatsapp-legacy-endpoints";

export const ENDPOINTS: readonly Endpoint[] = [
  ...SMS_ENDPOINTS,
  ...WHATSAPP_LEGACY_ENDPOINTS,
  ...OAUTH_ENDPOINTS,
  ...MEDIA_ENDPOINTS,
  TOKEN_ENDPOINT,
];
