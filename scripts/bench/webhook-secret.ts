/** What the service shows when it calls the webhook. */
export const SECRET_HEADER = "x-webhook-secret";
export const SECRET = "only-for-measuring-0123456789";
