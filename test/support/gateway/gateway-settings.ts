import type { Batch } from "../../../lib/gateway/queue/dispatcher";
import type { GatewaySettings } from "../../../lib/gateway/contract/settings";
import { CancelSignal, type CancelSignals } from "../../../lib/gateway/http/cancel-signal";

export const PASSWORD = "p&ss/wörd+1";
export const CLIENT_SECRET = "s3cret==/#cl";

/** A good id of an application or of a file. */
export const UUID = "123e4567-e89b-12d3-a456-426614174000";

/** Settings of an account at a server of the test; `changed` replaces some. */
export function settingsFor(serviceAddress: string, changed: Partial<GatewaySettings> = {}): GatewaySettings {
  return {
    serviceAddress,
    tokenAddress: "",
    legacy: { method: "basic", username: "alice", password: PASSWORD },
    oauth: { clientId: "client-7", clientSecret: CLIENT_SECRET },
    restPrefix: false,
    paths: {},
    tls: null,
    proxy: null,
    connectTimeout: 2_000,
    answerTimeout: 5_000,
    connections: 4,
    requestsPerSecond: 0,
    queueLimit: 1_000,
    attempts: 5,
    refusedAt503: false,
    ...changed,
  };
}

/** An SMS by form; the text tells one from another at the server. */
export const sms = (text = "hello"): Batch => ({
  operation: "sms-form",
  fields: { recipientAddressList: ["41791234567"], messageContent: text },
});

/** A WhatsApp text, which needs a token. */
export const whatsapp = (text = "hello"): Batch => ({
  operation: "whatsapp-text",
  fields: { applicationId: UUID, recipient: "+41791234567", content: text },
});

export const newGates = (): CancelSignals => ({ stopNew: new CancelSignal(), abort: new CancelSignal() });
