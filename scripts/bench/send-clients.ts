import { Pool } from "undici";
import { type BenchFlow, EmbeddedNodeRed } from "./embedded-node-red";
import { eachWithItsKey, GUARDED_ACCOUNT, GUARDED_NODE, optOuts } from "./guarded-account";
import { FIRST_RECIPIENT } from "./stub-gateway";
import { SECRET, SECRET_HEADER } from "./webhook-secret";

/** Who sends: raw undici, Node-RED's own node, and the nodes of this package. */
export type SendClientName =
  | "raw undici"
  | "core http"
  | "sms-send"
  | "whatsapp-send"
  | "sms-send stored"
  | "whatsapp-send stored"
  | "sms-send postgresql"
  | "whatsapp-send postgresql"
  | "sms-send memory reported"
  | "sms-send stored reported"
  | "sms-send stored asked"
  | "sms-send unguarded"
  | "sms-send guarded"
  | "sms-send stored unguarded"
  | "sms-send stored guarded";

export interface Service {
  readonly url: string;
  /** Connections that the client may have, where it has such a setting. */
  readonly connections: number;
  /** Requests a second; no limit if not given. */
  readonly rate?: number;
}

/** One way to send a message. */
export interface SendClient {
  /** Makes ready for a service; whatever was under way before has ended. */
  prepare(service: Service): Promise<void>;
  /** Starts one message. @param to its recipients where they are not just one */
  send(to?: readonly string[]): void;
  /** Where reports of its messages are taken; null where they are not. */
  readonly webhook: string | null;
  /** Called for every result, with how many requests it stands for. */
  ended: (accepted: boolean) => void;
}

const TO = String(FIRST_RECIPIENT);
const TEXT = "Your parcel is on its way and arrives between 2 and 4 pm.";
const USER = { username: "bench", password: "only-for-measuring" };
const FORM = {
  messageContent: TEXT,
  recipientAddressList: TO,
  clientMessageId: "123e4567-e89b-12d3-a456-426614174000",
};
const PATH = "/rest/smsmessaging/simple";
const FORM_TYPE = "application/x-www-form-urlencoded";
const isSent = (body: string): boolean => body.startsWith("statusCode=2000&");

class RawClient implements SendClient {
  readonly webhook = null;
  ended: SendClient["ended"] = () => {};
  #pool: Pool | null = null;
  readonly #body = new URLSearchParams(FORM).toString();
  readonly #headers = {
    "content-type": FORM_TYPE,
    authorization: `Basic ${Buffer.from(`${USER.username}:${USER.password}`).toString("base64")}`,
  };

  async prepare({ url, connections }: Service): Promise<void> {
    await this.#pool?.close();
    this.#pool = new Pool(url, { connections, pipelining: 1 });
  }

  send(): void {
    (this.#pool as Pool)
      .request({ method: "POST", path: PATH, headers: this.#headers, body: this.#body })
      .then(({ body }) => body.text())
      .then(
        (text) => this.ended(isSent(text)),
        () => this.ended(false),
      );
  }
}

/** A flow in a real Node-RED: a source, one node that sends, a sink. */
class FlowClient implements SendClient {
  ended: SendClient["ended"] = () => {};

  constructor(
    private readonly nodeRed: EmbeddedNodeRed,
    private readonly flow: (service: Service) => BenchFlow,
    private readonly message: () => Record<string, unknown>,
    private readonly accepted: (msg: Record<string, unknown>) => boolean,
    /** Numbers that opt out before anything is sent; null for none. */
    private readonly optOuts: readonly string[] | null = null,
  ) {}

  get webhook(): string {
    return `${this.nodeRed.url}${REPORTS}`;
  }

  async prepare(service: Service): Promise<void> {
    await this.nodeRed.deploy(this.flow(service));
    const { ends } = this.nodeRed;
    if (this.optOuts !== null) {
      const [first] = this.optOuts;
      await this.#resultOf(() => ends.emitAside({ to: this.optOuts }));
      const held = await this.#resultOf(() => ends.emit({ ...this.message(), to: first }));
      if (this.accepted(held)) {
        throw new Error(`${first} has opted out and was sent to`);
      }
    }
    ends.ended = (msg) => this.ended(this.accepted(msg));
  }

  #resultOf(start: () => void): Promise<Record<string, unknown>> {
    return new Promise((resolve) => {
      this.nodeRed.ends.ended = resolve;
      start();
    });
  }

  send(to?: readonly string[]): void {
    this.nodeRed.ends.emit(to === undefined ? this.message() : { ...this.message(), to });
  }
}

/** @param aside node that gets what goes aside */
const ends = (wired: string, aside: readonly string[] = []): BenchFlow => [
  { id: "source", type: "bench-source", z: "tab", wires: [[wired], aside] },
  { id: "sink", type: "bench-sink", z: "tab", wires: [] },
];

const coreFlow = ({ url }: Service): BenchFlow => [
  ...ends("request"),
  {
    id: "request",
    type: "http request",
    z: "tab",
    method: "POST",
    ret: "txt",
    paytoqs: "ignore",
    url: `${url}${PATH}`,
    persist: false,
    authType: "basic",
    credentials: { user: USER.username, password: USER.password },
    wires: [["sink"]],
  },
];

/** Where the account of a client keeps its messages. */
const KEPT: Readonly<Record<string, string>> = { stored: "computer", postgresql: "postgresql" };
const keptBy = (name: SendClientName): string => KEPT[name.split(" ")[1] ?? ""] ?? "memory";

/** As a user sets an account up who has much to send: as many connections as shall be in flight. */
const account = (
  { url, connections, rate = 0 }: Service,
  keepMessages: string,
  guards: object = {},
): Record<string, unknown> => ({
  id: "account",
  type: "messaging-account",
  service: "service",
  serviceAddress: url,
  legacyAuth: "basic",
  applicationId: "3f2b1c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d",
  connections,
  requestsPerSecond: rate,
  queueLimit: 20_000,
  keepMessages,
  storeFolder: process.env.BENCH_STORE ?? "",
  ...guards,
  credentials: {
    ...USER,
    clientId: "bench",
    clientSecret: "only-for-measuring",
    storeUrl: process.env.BENCH_STORE_URL ?? "",
  },
});

const OPT_OUT_NODE = {
  id: "opt-outs",
  type: "opt-out",
  z: "tab",
  account: "account",
  kind: "add",
  outputs: 1,
  numbers: "to",
  numbersSource: "msg",
  scope: "all",
  scopeSource: "choice",
  source: "flow",
  sourceSource: "choice",
  wires: [["sink"]],
};
/** Path of the webhook that takes reports. */
const REPORTS = "/reports";
const WEBHOOK_NODE = {
  id: "reports",
  type: "webhook-in",
  z: "tab",
  account: "account",
  kind: "status",
  path: REPORTS,
  auth: "header",
  headerName: SECRET_HEADER,
  acknowledge: "receipt",
  credentials: { secret: SECRET },
  wires: [[], [], [], []],
};
/** Asks 1,000 times a minute how the account stands. */
const ASKING: BenchFlow = [
  { id: "clock", type: "inject", z: "tab", props: [], repeat: "0.06", once: true, wires: [["state"]] },
  {
    id: "state",
    type: "message-log",
    z: "tab",
    account: "account",
    kind: "state",
    resultProperty: "",
    wires: [[], []],
  },
];
const TO_SINK = [["sink"], ["sink"], ["sink"], ["sink"]];
const resultIsSent = ({ result }: Record<string, unknown>): boolean =>
  (result as { outcome?: unknown } | undefined)?.outcome === "sent";

/** Settings of the sending nodes, by type. */
const SENDERS: Readonly<Record<string, object>> = {
  "sms-send": {
    interface: "form",
    recipientAddressList: "to",
    recipientAddressListSource: "msg",
    messageContent: "payload",
    messageContentSource: "msg",
  },
  "whatsapp-send": {
    kind: "text",
    recipients: "to",
    recipientsSource: "msg",
    content: "payload",
    contentSource: "msg",
  },
};

/** @param packages see `EmbeddedNodeRed.start` */
export async function makeSendClient(name: SendClientName, packages: string): Promise<SendClient> {
  if (name === "raw undici") {
    return new RawClient();
  }
  const nodeRed = await EmbeddedNodeRed.start(packages);
  if (name === "core http") {
    return new FlowClient(
      nodeRed,
      coreFlow,
      () => ({ payload: { ...FORM }, headers: { "content-type": FORM_TYPE } }),
      ({ statusCode, payload }) => statusCode === 200 && isSent(String(payload)),
    );
  }
  const [type = ""] = name.split(" ");
  const guarded = name.endsWith(" guarded");
  const next = name.endsWith("guarded") ? eachWithItsKey() : () => ({ to: TO });
  const sender = { id: "send", type, z: "tab", account: "account", outputs: 4, wires: TO_SINK };
  return new FlowClient(
    nodeRed,
    (service) => [
      ...ends("send", guarded ? ["opt-outs"] : []),
      account(service, keptBy(name), guarded ? GUARDED_ACCOUNT : {}),
      ...(guarded ? [OPT_OUT_NODE] : []),
      ...(name.endsWith(" reported") ? [WEBHOOK_NODE] : []),
      ...(name.endsWith(" asked") ? ASKING : []),
      { ...sender, ...SENDERS[type], ...(guarded ? GUARDED_NODE : {}) },
    ],
    () => ({ payload: TEXT, ...next() }),
    resultIsSent,
    guarded ? optOuts() : null,
  );
}
