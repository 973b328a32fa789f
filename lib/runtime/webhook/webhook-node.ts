import type { IncomingMessage, ServerResponse } from "node:http";
import type { Node, NodeAPI, NodeMessage } from "node-red";
import { WEBHOOK_PORTS } from "../../shared/fields/webhook-defaults";
import { SetupError } from "../../shared/messaging-error";
import { isPlainHttp } from "../../shared/network/address-fault";
import { sanitiseText } from "../../shared/sanitise-text";
import { urlPath } from "../../shared/network/webhook-path";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import { unavailable } from "../../webhook/responses";
import { Gates } from "../../webhook/gates/gates";
import { Receiver } from "../../webhook/receiver";
import type { ReceivedEvent, ReceiverEvent } from "../../webhook/receiver-parts";
import { Account, CLOSE_GRACE } from "../account/account";
import { FlowLifecycle } from "../node-red/flow-lifecycle";
import { getIdentity } from "../node-red/node-identity";
import { isPortWired } from "../node-red/wiring";
import { loopbackEndpoint } from "../simulator/loopback-endpoint";
import { openMemoryStore } from "../store/open-store";
import { StoreLedger, type UnwrittenKeys } from "../store/store-ledger";
import { getAcknowledgements } from "./get-acknowledgements";
import { type OptOutLoss, optOutReader } from "./opt-out-recognition";
import { cacheWebhook, takeCachedWebhook } from "./redeploy-cache";
import { refusedCallsOf } from "./refused-calls";
import { WebhookBadge } from "./webhook-badge";
import { webhookMessage } from "./webhook-message";
import { type Claim, WebhookRoutes } from "./webhook-routes";
import {
  readWebhookSettings,
  type WebhookConfig,
  type WebhookCredentials,
  type WebhookSettings,
} from "./webhook-settings";

const LONGEST_REASON = 500;

type ReceivingNode = Node<WebhookCredentials> & { webhook?: WebhookNode };

export class WebhookNode {
  readonly settings: WebhookSettings;
  readonly receiver: Receiver;
  readonly #badge: WebhookBadge;
  readonly #unwritten: UnwrittenKeys;
  readonly #ledger: StoreLedger;
  /** Blank without an account. */
  readonly #account: string;
  readonly #simulated: boolean;
  readonly #claim: Claim | null;
  #trouble: SetupError | null = null;
  readonly #stops: (() => void)[] = [];
  #leaveSimulator: Promise<((keep: boolean) => void) | null> = Promise.resolve(null);
  #isFailing = false;
  readonly #lost = new Set<OptOutLoss>();

  /** A node with wrong settings shows the error in badge and log, and receives nothing. */
  static start(RED: NodeAPI, node: ReceivingNode, config: WebhookConfig): void {
    try {
      node.webhook = new WebhookNode(RED, node, config);
    } catch (error) {
      if (!(error instanceof SetupError)) {
        throw error;
      }
      const badge = new WebhookBadge(node, false);
      badge.trouble(error);
      node.error(error.message);
      node.on("close", () => badge.close());
    }
  }

  static of(node: Node | null | undefined): WebhookNode | null {
    const found = (node as ReceivingNode | null | undefined)?.webhook;
    return found instanceof WebhookNode ? found : null;
  }

  private constructor(
    private readonly RED: NodeAPI,
    private readonly node: ReceivingNode,
    config: WebhookConfig,
  ) {
    this.settings = readWebhookSettings(node.id, config, node.credentials ?? {});
    const { optOuts } = this.settings;
    const gates = new Gates(this.settings.gates);
    const cached = takeCachedWebhook(node.id);
    const account = config.account ? Account.of(RED.nodes.getNode(config.account)) : null;
    this.#simulated = account?.simulated === true;
    this.#badge = new WebhookBadge(node, this.#simulated);
    this.#account = account?.id ?? "";
    this.#unwritten = cached?.unwritten ?? { done: new Set(), cut: new Map() };
    this.#ledger = new StoreLedger({
      receiver: getIdentity(node),
      limits: this.settings.memory,
      unwritten: this.#unwritten,
      open: () => account?.store() ?? openMemoryStore(),
      failed: (error) => this.#keepingFailed(error),
    });
    this.receiver = new Receiver(this.settings.receiver, {
      gates,
      ledger: this.#ledger,
      optOuts: optOuts && optOutReader(optOuts, account, (why) => this.#optOutLost(why)),
      acknowledgements: getAcknowledgements(RED),
      emit: (event) => this.#emit(event),
      audience: (port) => this.#audience(port),
      happened: (event) => this.#count(event),
    });
    if (cached?.receiver) {
      this.receiver.takeOver(cached.receiver);
    }
    if (this.#sendsSecretUnencrypted) {
      this.#badge.note("plainHttp");
    }
    this.#claim = this.#claimPath();
    if (account?.simulated) {
      this.#leaveSimulator = this.#joinSimulator(account);
      account.simulator.awaitWebhook(this.#leaveSimulator);
    }
    this.#followFlows();
    node.on("close", (removed: boolean, done: () => void) => void this.#close(removed).finally(done));
  }

  /** Returns why only the simulator or no request reaches the node; null if all is well. */
  get trouble(): SetupError | null {
    return this.#trouble;
  }

  get fullPath(): string {
    return urlPath(`${this.RED.settings.httpNodeRoot || ""}/${this.settings.path}`);
  }

  get #label(): string {
    return this.node.name || this.node.id;
  }

  /** True if the service sends its secret over plain http, where others on the network can read it. */
  get #sendsSecretUnencrypted(): boolean {
    const { gates, publicAddress } = this.settings;
    return !this.#simulated && gates.auth.method !== "none" && isPlainHttp(publicAddress);
  }

  #showTrouble(trouble: SetupError | null): void {
    this.#trouble = trouble;
    this.#badge.trouble(trouble);
    if (trouble !== null) {
      this.node.error(trouble.message);
    }
  }

  #claimPath(): Claim | null {
    const { path } = this.settings;
    try {
      const claim = WebhookRoutes.of(this.RED).claim(path, {
        label: this.#label,
        handle: (req, res) =>
          void this.receiver.handle(
            req,
            res,
            loopbackEndpoint.isCaller(req) ? "simulator-callback" : "service",
          ),
        failed: (error, res) => this.#middlewareFailed(error, res),
        granted: () => {
          this.#showTrouble(null);
          this.#checkSecret();
        },
      });
      if (claim.owner === null) {
        this.#checkSecret();
      } else {
        const owner = quoteValue(claim.owner);
        this.#showTrouble(new SetupError("PATH_TAKEN", say("webhook.PATH_TAKEN.webhook", { path, owner })));
      }
      return claim;
    } catch (error) {
      if (!(error instanceof SetupError)) {
        throw error;
      }
      this.#showTrouble(error);
      return null;
    }
  }

  #checkSecret(): void {
    if (!this.settings.hasSecret && !this.#simulated) {
      this.#showTrouble(new SetupError("NO_SECRET", say("webhook.NO_SECRET")));
    }
  }

  /** Receives events only while flows run, because other nodes do not exist before. */
  #followFlows(): void {
    void this.#ledger.open();
    const lifecycle = FlowLifecycle.of(this.RED);
    const pause = (): void => this.receiver.pause();
    this.#stops.push(
      lifecycle.onStarted(() => this.receiver.open()),
      lifecycle.onStopping(pause),
      pause,
    );
  }

  /** Warns once for each reason that opt-outs have no effect. */
  #optOutLost(why: OptOutLoss): void {
    if (!this.#lost.has(why)) {
      this.#lost.add(why);
      this.#badge.note("optOutsLost");
      this.node.warn(say(`webhook.opt-out-lost.${why}`));
    }
  }

  async #joinSimulator(account: Account): Promise<((keep: boolean) => void) | null> {
    const handle = (req: IncomingMessage, res: ServerResponse): void =>
      void this.receiver.handle(req, res, "simulator");
    try {
      const { url, headers } = await loopbackEndpoint.open(this.node.id, handle);
      const leave = await account.simulator.connectWebhook({
        kind: this.settings.receiver.kind,
        url,
        headers,
        label: this.#label,
      });
      return (keep) => {
        leave(keep);
        loopbackEndpoint.close(this.node.id, handle);
      };
    } catch (error) {
      loopbackEndpoint.close(this.node.id, handle);
      this.#badge.note("simulatorFails");
      this.node.error(
        say("webhook.simulator-failed", { reason: sanitiseText((error as Error).message, LONGEST_REASON) }),
      );
      return null;
    }
  }

  #audience(port: number): "some" | "none" | "gone" {
    const { wires = [] } = this.node;
    if ((wires[port] ?? []).length === 0) {
      return "none";
    }
    return isPortWired(this.RED, this.node, port) ? "some" : "gone";
  }

  #emit(event: ReceivedEvent): void {
    const ports = WEBHOOK_PORTS[this.settings.receiver.kind];
    const leaving: (NodeMessage | null)[] = new Array(ports).fill(null);
    const message = webhookMessage(event, this.RED.util.generateId());
    leaving[event.port] = message;
    this.node.send(leaving);
  }

  #count(event: ReceiverEvent): void {
    this.#badge.count(event);
    if (event.what === "refused") {
      refusedCallsOf(this.RED).add(this.#account, this.node.id, event.reason);
    }
  }

  #middlewareFailed(error: unknown, res: ServerResponse): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.node.warn(say("webhook.middleware-failed", { reason: sanitiseText(reason, LONGEST_REASON) }));
    unavailable(res);
  }

  /** No event is accepted without the store. */
  #keepingFailed(error: Error | null): void {
    const isFailing = error !== null;
    if (this.#isFailing === isFailing) {
      return;
    }
    this.#isFailing = isFailing;
    this.#badge.note("ledgerFails", isFailing);
    if (isFailing) {
      const reason = sanitiseText(error.message, LONGEST_REASON);
      this.node.error(say("webhook.ledger-failed", { reason }));
    }
  }

  async #close(removed: boolean): Promise<void> {
    for (const stop of this.#stops) {
      stop();
    }
    if (FlowLifecycle.of(this.RED).partial) {
      this.#handOver(removed);
      return;
    }
    await this.receiver.close(CLOSE_GRACE);
    this.#claim?.release(!removed);
    (await this.#leaveSimulator)?.(!removed);
    await this.#ledger.close();
    if (!removed) {
      cacheWebhook(this.RED, this.node.id, { unwritten: this.#unwritten, receiver: null });
    }
    this.#badge.close();
  }

  /** Ends at once, because other flows wait for the deploy. The successor gets the decisions on open events. */
  #handOver(removed: boolean): void {
    this.#claim?.release(!removed);
    void this.#leaveSimulator.then((leave) => leave?.(!removed));
    this.#badge.close();
    void this.#ledger.close();
    if (!removed) {
      cacheWebhook(this.RED, this.node.id, { unwritten: this.#unwritten, receiver: this.receiver });
    }
  }
}
