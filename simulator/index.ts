import { randomBytes } from "node:crypto";
import { Accounts } from "./account/accounts";
import { type Clock, systemClock } from "./util/clock";
import { CREDENTIALS, type SimulatorCredentials } from "./sign-in/credentials";
import { createRequestListener } from "./handle-request";
import { Listener } from "./util/listener";
import type { RecordedRequest } from "./messages/records";
import { hostRule } from "./request/request-gate";
import { createRedactor } from "./sign-in/redactor";
import type { SimulatedAccount } from "./account/account";
import type { SimulatedDelivery } from "./webhooks/webhook-records";
import {
  type CallbackRule,
  callbackRule,
  type WebhookOptions,
  webhookSettings,
} from "./webhooks/webhook-settings";

export type { SimulatedAccount } from "./account/account";
export type { FaultAnswer, FaultRule } from "./faults/fault-rule";
export { SAMPLE_MEDIA_ID } from "./inventory/media-store";
export type { Incoming } from "./messages/incoming";
export type { ReceivedMessage, RecordedRequest, SimulatedMessage } from "./messages/records";
export type { SimulatorCredentials } from "./sign-in/credentials";
export type { Clock } from "./util/clock";
export type { NewWebhook } from "./webhooks/new-webhook";
export type { SimulatedDelivery } from "./webhooks/webhook-records";
export type { CallbackRule } from "./webhooks/webhook-settings";

export interface SimulatorOptions {
  readonly port?: number;
  readonly host?: string;
  /** Host names or addresses without a port that callers may use, besides `host` and loopback names. */
  readonly allowedHosts?: readonly string[];
  readonly credentials?: SimulatorCredentials;
  readonly controlToken?: string;
  readonly tls?: { readonly key: string | Buffer; readonly cert: string | Buffer };
  /** A send to more recipients than this is answered 2001 instead of 2000. Default: 100. */
  readonly queuedAbove?: number;
  /** Lifetime of bearer tokens in seconds. Default: 300. */
  readonly tokenLifetime?: number;
  readonly maxPriority?: number;
  /** Largest file that can be uploaded, in bytes. Default: 100 MiB. */
  readonly maxUpload?: number;
  readonly logEntries?: number;
  /** Logs the body of a refused request too, if its credentials are valid. Default: false. */
  readonly keepRefusedBodies?: boolean;
  readonly webhooks?: WebhookOptions;
  /** Decides which callback addresses of single sends are called; replaces the rule of `webhooks`. */
  readonly mayCallBack?: CallbackRule;
  readonly clock?: Clock;
  /** Called for each request once its answer was written, or once it is certain that none follows. */
  readonly onRequest?: (request: RecordedRequest, account: SimulatedAccount) => void;
  readonly onDelivery?: (delivery: SimulatedDelivery, account: SimulatedAccount) => void;
}

export type Simulator = Awaited<ReturnType<typeof startSimulator>>;

export async function startSimulator(options: SimulatorOptions = {}) {
  const controlToken = options.controlToken ?? randomBytes(16).toString("hex");
  if (!/^[A-Za-z0-9._~-]{8,128}$/.test(controlToken)) {
    throw new TypeError("control token: 8 to 128 letters, digits, dots, underscores, tildes, dashes");
  }
  const clock = options.clock ?? systemClock;
  const webhooks = webhookSettings(options.webhooks);
  const listener = new Listener(options.tls);
  const host = options.host ?? "127.0.0.1";
  const { url, port } = await listener.start(options.port ?? 0, host);
  const accounts = new Accounts(url, {
    clock,
    logEntries: options.logEntries ?? 20_000,
    queuedAbove: options.queuedAbove ?? 100,
    tokenLifetime: options.tokenLifetime ?? 300,
    settings: webhooks,
    callbackRule: options.mayCallBack ?? callbackRule(webhooks),
    onDelivery: (delivery, account) => options.onDelivery?.(delivery, account),
  });
  const credentials = options.credentials ?? CREDENTIALS;
  const { password, accessToken, clientSecret } = credentials;
  listener.serve(
    createRequestListener({
      accounts,
      clock,
      controlToken,
      credentials,
      keepRefusedBodies: options.keepRefusedBodies ?? false,
      limits: { maxPriority: options.maxPriority ?? 9, maxUpload: options.maxUpload ?? 100 * 1_048_576 },
      redactor: createRedactor([password, accessToken, clientSecret, controlToken]),
      hosts: hostRule([host, ...(options.allowedHosts ?? [])]),
      reset: (socket) => listener.reset(socket),
      onRequest: (request, account) => options.onRequest?.(request, account),
    }),
  );
  return {
    url,
    port,
    controlToken,
    credentials,
    main: accounts.main as SimulatedAccount,
    account: (id: string): SimulatedAccount => accounts.get(id),
    pause: () => listener.pause(),
    resume: () => listener.resume(),
    close: () => {
      accounts.close();
      return listener.close();
    },
    unref: () => listener.unref(),
    openConnections: () => listener.openConnections,
  };
}
