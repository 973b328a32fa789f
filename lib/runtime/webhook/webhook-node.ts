import type { IncomingMessage, ServerResponse } from "node:http";
import type { Node, NodeAPI, NodeMessage } from "node-red";
import { SetupError } from "../../shared/messaging-error";
import { isPlainHttp } from "../../shared/plain-http";
import { WEBHOOK_PORTS } from "../../shared/fields/webhook-defaults";
import { urlPath } from "../../shared/webhook-path";
import { quoteValue } from "../../shared/quote-value";
import { sanitiseText } from "../../shared/sanitise-text";
import type { Acknowledgements } from "../../webhook/acknowledgements";
import { unavailable } from "../../webhook/answers";
import { DuplicateMemory } from "../../webhook/duplicate-memory";
import { Gates } from "../../webhook/gates";
import { type ReceivedEvent, Receiver } from "../../webhook/receiver";
import { Account, CLOSE_GRACE } from "../account/account";
import { DuplicateStore } from "./duplicate-store";
import { FlowLifecycle } from "../node-red/flow-lifecycle";
import { NodeActivity } from "../activity/node-activity";
import { loopbackEndpoint } from "../simulator/loopback-endpoint";
import { type KeptWebhook, keepWebhook, takeWebhook } from "./redeploy-cache";
import { runtimeTexts } from "../node-red/texts";
import { portIsHeard } from "../node-red/wiring";
import { WebhookBadge } from "./webhook-badge";
import { type Claim, WebhookRoutes } from "./webhook-routes";
import {
  readWebhookSettings,
  type WebhookConfig,
  type WebhookCredentials,
  type WebhookSettings,
} from "./webhook-settings";

/** Characters of what others say of their failure. */
const LONGEST_REASON = 500;

type ReceivingNode = Node<WebhookCredentials> & { webhook?: WebhookNode };

/** One webhook-in node at work: its route, its receiver, its memory, its badge. */
export class WebhookNode {
  readonly settings: WebhookSettings;
  readonly receiver: Receiver;
  readonly #badge: WebhookBadge;
  readonly #activity: NodeActivity;
  readonly #store: DuplicateStore;
  readonly #memory: DuplicateMemory;
  readonly #simulated: boolean;
  readonly #stops: (() => void)[] = [];
  #claim: Claim | null = null;
  #leaveSimulator: Promise<((keep: boolean) => void) | null> = Promise.resolve(null);
  #trouble: SetupError | null = null;
  #storeFails = false;
  #atStart: () => void = () => {};

  /**
   * Sets a node up. What is wrong with it shows in badge and log; the node then takes nothing.
   * @returns null where its settings cannot work
   */
  static start(
    RED: NodeAPI,
    node: ReceivingNode,
    config: WebhookConfig,
    acknowledgements: Acknowledgements,
  ): void {
    try {
      node.webhook = new WebhookNode(RED, node, config, acknowledgements);
    } catch (error) {
      if (!(error instanceof SetupError)) {
        throw error;
      }
      const badge = new WebhookBadge(node, runtimeTexts(RED), false);
      badge.trouble(error);
      node.error(error.message);
      node.on("close", () => badge.close());
    }
  }

  /** The running webhook of a node; null where it is none, or not running. */
  static of(node: Node | null | undefined): WebhookNode | null {
    const found = (node as ReceivingNode | null | undefined)?.webhook;
    return found instanceof WebhookNode ? found : null;
  }

  private constructor(
    private readonly RED: NodeAPI,
    private readonly node: ReceivingNode,
    config: WebhookConfig,
    acknowledgements: Acknowledgements,
  ) {
    this.settings = readWebhookSettings(node.id, config, node.credentials ?? {});
    const gates = new Gates(this.settings.gates);
    const memory = new DuplicateMemory(this.settings.memory);
    this.#memory = memory;
    const before = takeWebhook(node.id);
    memory.restore(before?.memory);
    const account = config.account ? Account.of(RED.nodes.getNode(config.account)) : null;
    this.#simulated = account?.simulated === true;
    this.#badge = new WebhookBadge(node, runtimeTexts(RED), this.#simulated);
    this.#activity = new NodeActivity(RED, node);
    this.#store = new DuplicateStore(node, this.settings.store, memory, (error) => this.#storeFailed(error));
    this.receiver = new Receiver(this.settings.receiver, {
      gates,
      memory,
      acknowledgements,
      emit: (event) => this.#emit(event),
      audience: (port) => this.#audience(port),
      happened: (happening) => {
        this.#badge.happened(happening);
        if (happening.what !== "event") {
          this.#activity.happened(happening, this.#simulated);
        }
      },
    });
    if (before?.receiver) {
      this.receiver.takeOver(before.receiver);
    }
    if (this.#showsSecretInClear) {
      this.#badge.note("plainHttp");
    }
    this.#claimPath();
    if (account?.simulated) {
      this.#leaveSimulator = this.#joinSimulator(account);
    }
    this.#followFlows(before);
    node.on("close", (removed: boolean, done: () => void) => void this.#close(removed).finally(done));
  }

  /** The set-up is wrong in a way that lets nobody in, or only the simulator. */
  get trouble(): SetupError | null {
    return this.#trouble;
  }

  /** Path as it stands in an address, `httpNodeRoot` included. */
  get fullPath(): string {
    const root = this.RED.settings.httpNodeRoot;
    return urlPath(`${root || ""}/${this.settings.path}`);
  }

  /** The service is to show its secret over plain http, where whoever is on the way can read it. */
  get #showsSecretInClear(): boolean {
    const { gates, publicAddress } = this.settings;
    return !this.#simulated && gates.auth.kind !== "none" && isPlainHttp(publicAddress);
  }

  #claimPath(): void {
    const routes = WebhookRoutes.of(this.RED);
    if (routes === null) {
      this.#complain(
        new SetupError(
          "NO_HTTP",
          "Node-RED serves no web addresses for nodes: httpNodeRoot is false in its settings file. Set it to a path such as '/' and start Node-RED again.",
        ),
      );
      return;
    }
    // Before the claim: a path of the editor must not be touched for a moment.
    if (this.#conflicts(routes)) {
      return;
    }
    const claim = routes.claim(this.settings.path, {
      label: this.node.name || this.node.id,
      handle: (req, res) => void this.receiver.handle(req, res),
      failed: (error, res) => this.#middlewareFailed(error, res),
      granted: () => {
        this.#trouble = null;
        this.#badge.trouble(null);
        this.#checkSecret();
      },
    });
    this.#claim = claim;
    // Once all nodes of a deploy are there, some may have brought routes of their own.
    this.#atStart = () => {
      if (this.#conflicts(routes)) {
        claim.release();
      }
    };
    if (claim.owner !== null) {
      this.#complain(
        new SetupError(
          "PATH_TAKEN",
          `The path ${this.settings.path} belongs to another webhook already (${quoteValue(claim.owner)}), so nothing arrives here. Give each webhook a path of its own.`,
        ),
      );
      return;
    }
    this.#checkSecret();
  }

  /** Whether something else in Node-RED answers on this path; says so where it does. */
  #conflicts(routes: WebhookRoutes): boolean {
    const conflict = routes.conflict(this.settings.path);
    if (conflict === null) {
      return false;
    }
    const whose = conflict === "editor" ? "Node-RED's editor" : "another node, such as an 'http in'";
    this.#complain(
      new SetupError(
        "PATH_TAKEN",
        `The path ${this.settings.path} belongs to ${whose}, so nothing arrives here. Choose another one, such as /messaging/inbound.`,
      ),
    );
    return true;
  }

  #checkSecret(): void {
    if (!this.settings.hasSecret && !this.#simulated) {
      this.#complain(
        new SetupError(
          "NO_SECRET",
          "This webhook has no secret yet, so it lets nobody in. Open the node, which makes one, press Done, deploy, and register the address that the node shows.",
        ),
      );
    }
  }

  #complain(trouble: SetupError): void {
    this.#trouble = trouble;
    this.#badge.trouble(trouble);
    this.node.error(trouble.message);
  }

  /** Takes events only while flows run: what comes in between would be handed to nobody. */
  #followFlows(before: KeptWebhook | null): void {
    const stored = this.#openStore(before);
    let running = false;
    const started = (): void => {
      running = true;
      this.#atStart();
      void stored.then(() => running && this.receiver.open());
    };
    const stopping = (): void => {
      running = false;
      this.receiver.pause();
    };
    const times = FlowLifecycle.of(this.RED);
    this.#stops.push(times.onStarted(started), times.onStopping(stopping), stopping);
  }

  async #openStore(before: KeptWebhook | null): Promise<void> {
    await before?.written;
    await this.#store.open(before !== null);
  }

  async #joinSimulator(account: Account): Promise<((keep: boolean) => void) | null> {
    const handle = (req: IncomingMessage, res: ServerResponse): void =>
      void this.receiver.handle(req, res, true);
    try {
      const { url, headers } = await loopbackEndpoint.open(this.node.id, handle);
      const leave = await account.connectWebhook({
        kind: this.settings.receiver.kind,
        url,
        headers,
        label: this.node.name || this.node.id,
      });
      return (keep) => {
        leave(keep);
        loopbackEndpoint.close(this.node.id, handle);
      };
    } catch (error) {
      loopbackEndpoint.close(this.node.id, handle);
      this.#badge.note("simulatorFails");
      this.node.error(
        `The built-in simulator could not be reached: ${sanitiseText((error as Error).message, LONGEST_REASON)}`,
      );
      return null;
    }
  }

  #audience(port: number): "some" | "none" | "gone" {
    const { wires = [] } = this.node;
    if ((wires[port] ?? []).length === 0) {
      return "none";
    }
    return portIsHeard(this.RED, this.node, port) ? "some" : "gone";
  }

  #emit(event: ReceivedEvent): void {
    const { kind, port, key, possibleDuplicate, ack, sender, payload, unparsed, request } = event;
    const facts: Record<string, unknown> = { kind, key, possibleDuplicate, simulated: this.#simulated };
    if (ack !== null) {
      facts.ack = ack;
    }
    if (unparsed !== null) {
      facts.unparsed = unparsed;
    }
    const message: NodeMessage & Record<string, unknown> = {
      _msgid: this.RED.util.generateId(),
      payload,
      event: facts,
      req: request,
    };
    if (sender !== null) {
      message.topic = sender;
    }
    const leaving: (NodeMessage | null)[] = new Array(WEBHOOK_PORTS[this.settings.receiver.kind]).fill(null);
    leaving[port] = message;
    this.node.send(leaving);
    this.#activity.received(event, this.#simulated);
  }

  #middlewareFailed(error: unknown, res: ServerResponse): void {
    this.node.warn(
      `httpNodeMiddleware of Node-RED's settings failed for a webhook: ${sanitiseText(error instanceof Error ? error.message : String(error), LONGEST_REASON)}`,
    );
    unavailable(res);
  }

  #storeFailed(error: Error | null): void {
    const isNews = this.#storeFails !== (error !== null);
    this.#storeFails = error !== null;
    if (!isNews) {
      return;
    }
    this.#badge.note("storeFails", error !== null);
    if (error !== null) {
      this.node.warn(
        `What is known of earlier events could not be kept in the context store, so copies may run again after a restart: ${sanitiseText(error.message, LONGEST_REASON)}`,
      );
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
    await this.#store.close();
    if (!removed) {
      keepWebhook(this.RED, this.node.id, { memory: this.#memory.state(), receiver: null, written: null });
    }
    this.#badge.close();
  }

  /**
   * Ends at once, since other flows run on and wait for this deploy. Events that the flow has yet to decide about keep
   * their callers, and the successor remembers what became of them.
   */
  #handOver(removed: boolean): void {
    this.#claim?.release(!removed);
    void this.#leaveSimulator.then((leave) => leave?.(!removed));
    this.#badge.close();
    const written = this.#store.stop();
    if (!removed) {
      const memory = this.#memory.state();
      const webhook = { memory, receiver: this.receiver, written };
      keepWebhook(this.RED, this.node.id, webhook, () => void this.#store.close());
    }
  }
}
