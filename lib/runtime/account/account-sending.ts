import { Dispatcher, type QueueHandle } from "../../gateway/queue/dispatcher";
import { type RefusedSignIn, SignInGate } from "../../gateway/queue/sign-in-gate";
import type { GatewaySettings } from "../../gateway/contract/settings";
import { SetupError } from "../../shared/messaging-error";
import { getScope, SIMULATOR } from "../../store/schema/scope";
import { say } from "../../texts/say";
import { LeaveCheck, type LeaveRules } from "../guards/leave-check";
import type { Protection } from "../guards/open-protection";
import { LimitWarnings } from "../guards/limit-warnings";
import type { LimitSettings } from "../guards/limit-settings";
import type { FlowLifecycle } from "../node-red/flow-lifecycle";
import { Outbox } from "../store/outbox/outbox";
import { OutboxSession } from "../store/outbox/outbox-session";
import type { IsInFlows } from "../store/removed-accounts";
import type { StoreSettings } from "../store/store-settings";
import type { AccountNotice } from "./account-notice";
import type { JoinedNodes } from "./joined-nodes";
import { SendingState } from "./sending-state";
import { SendingStop } from "./sending-stop";
import type { SimulatorLink } from "./simulator-link";
import type { StoreAccess } from "./store-access";

export interface AccountAccess extends Protection {
  readonly queue: QueueHandle;
  readonly concurrency: number;
  readonly applicationId: string;
  readonly outbox: OutboxSession;
  readonly state: SendingState;
}

export interface AccountSurroundings {
  readonly userDir?: string | undefined;
  readonly lifecycle: FlowLifecycle;
  readonly warn: (text: string) => void;
  readonly tell: (notice: AccountNotice) => void;
  readonly isInFlows: IsInFlows;
}

export interface SendingParts {
  readonly id: string;
  readonly destination: string;
  readonly stopped: boolean;
  readonly waitsWhenRefused: boolean;
  readonly applicationId: string;
  readonly simulator: SimulatorLink;
  readonly surroundings: AccountSurroundings;
  readonly nodes: JoinedNodes;
  readonly store: StoreAccess;
  /** @throws SetupError (as a rejection) */
  readonly protection: () => Protection;
  /** @throws SetupError (as a rejection) */
  readonly settings: () => Promise<GatewaySettings>;
  /** @throws SetupError */
  readonly storeSettings: () => StoreSettings;
}

export class AccountSending {
  readonly stop: SendingStop;
  readonly since = Date.now();
  readonly #signIns: SignInGate;
  readonly #state = new SendingState();
  #dispatcher: Promise<Dispatcher> | null = null;
  #opened: Dispatcher | null = null;
  #outbox: OutboxSession | null = null;
  #limitWarnings: LimitWarnings | null = null;
  #saidElsewhere = false;
  #closed = false;

  constructor(private readonly parts: SendingParts) {
    this.stop = new SendingStop(parts.id, parts.stopped, () => this.#stopChanged());
    this.#signIns = new SignInGate(parts.waitsWhenRefused);
    this.#signIns.watch(() => this.#refusalsChanged());
  }

  /** Joins the dispatcher. @throws SetupError (as a rejection) if the settings cannot work */
  async access(): Promise<AccountAccess> {
    const protection = this.parts.protection();
    const dispatcher = await this.#openDispatcher();
    // The simulator sends no event to a webhook that it does not know, so the first message waits for them.
    const { simulator } = this.parts;
    await simulator.joined();
    return {
      queue: dispatcher.openHandle(),
      concurrency: dispatcher.concurrency,
      applicationId: simulator.applicationId ?? this.parts.applicationId,
      outbox: this.#getOutbox(dispatcher, protection),
      ...protection,
      state: this.#state,
    };
  }

  /** Sends stored messages even if no send node of the account runs. @throws SetupError (as a rejection) */
  async sendStored(): Promise<void> {
    const protection = this.parts.protection();
    this.#getOutbox(await this.#openDispatcher(), protection).run();
  }

  get rate(): Dispatcher["rate"] | null {
    return this.#opened?.rate ?? null;
  }

  get refused(): readonly RefusedSignIn[] {
    return this.#signIns.refused;
  }

  resume(): void {
    this.#opened?.forgetTokenRefusals();
    this.#signIns.resume();
  }

  /** Ends the remaining requests and frees the dispatcher. @param grace ms to wait for responses */
  async close(grace: number): Promise<void> {
    this.#closed = true;
    this.#limitWarnings?.close();
    const dispatcher = await this.#dispatcher?.catch(() => null);
    // If it never opened, each node that tried has reported the reason.
    await Promise.all([this.#outbox?.close(grace), dispatcher?.close(grace)]);
  }

  /** @throws SetupError */
  #refuseClosed(): void {
    if (this.#closed) {
      throw new SetupError("ACCOUNT_CLOSED", say("account.ACCOUNT_CLOSED"));
    }
  }

  async #openDispatcher(): Promise<Dispatcher> {
    this.#refuseClosed();
    const opening = this.#dispatcher ?? this.#open();
    this.#dispatcher = opening;
    // A failure is not cached: its cause, such as a busy port, may be gone at the next message.
    return opening.catch((error: unknown) => {
      this.#dispatcher = null;
      throw error;
    });
  }

  async #open(): Promise<Dispatcher> {
    this.#opened = new Dispatcher(await this.parts.settings());
    this.#stopChanged();
    return this.#opened;
  }

  #stopChanged(): void {
    const dispatcher = this.#opened;
    const { isOn } = this.stop;
    this.#state.change({ stopped: isOn });
    if (dispatcher === null || dispatcher.paused === isOn) {
      return;
    }
    dispatcher.paused = isOn;
    if (!this.#closed) {
      this.parts.surroundings.tell({ what: isOn ? "stopped" : "goes-on" });
    }
  }

  #refusalsChanged(): void {
    const { refused: known } = this.#state.current;
    const refused = this.#signIns.refused;
    this.#state.change({ refused });
    if (this.#closed) {
      return;
    }
    const { tell } = this.parts.surroundings;
    for (const each of refused.filter(({ signIn }) => known.every((other) => other.signIn !== signIn))) {
      tell({ what: "refused", refused: each });
    }
    if (refused.length === 0 && known.length > 0) {
      tell({ what: "goes-on" });
    }
  }

  #leaveRules({ limits, hours, zone }: Protection): LeaveRules {
    return { limits, hours, zone, onUsage: (spent) => this.#getWarnings(limits)?.all(spent, limits) };
  }

  #getWarnings(limits: LimitSettings | null): LimitWarnings | null {
    if (limits !== null) {
      const { id, destination } = this.parts;
      this.#limitWarnings ??= new LimitWarnings(getScope(id, destination === SIMULATOR), limits.zone, {
        shown: (limit) => {
          const heldUntil = limit?.reached && !limits.refuses ? limit.ends : null;
          this.#state.change({ limit, heldUntil });
        },
        warned: (use) => this.parts.surroundings.tell({ what: "limit", use }),
      });
    }
    return this.#limitWarnings;
  }

  #showElsewhere(elsewhere: number): void {
    if (elsewhere !== this.#state.current.elsewhere && !this.#closed) {
      this.#state.change({ elsewhere });
      if (!this.#saidElsewhere) {
        this.#saidElsewhere = true;
        this.parts.surroundings.warn(say("account.notice.elsewhere", { n: elsewhere }));
      }
    }
  }

  /** @throws SetupError */
  #getOutbox(dispatcher: Dispatcher, protection: Protection): OutboxSession {
    const { id, destination, store, nodes, surroundings } = this.parts;
    const settings = this.parts.storeSettings();
    // The account may have closed since, and would not end a session that starts after its close.
    this.#refuseClosed();
    const { lifecycle, warn } = surroundings;
    this.#outbox ??= new OutboxSession(Outbox.of(id), {
      id,
      destination,
      dispatcher,
      signIns: this.#signIns,
      lifecycle,
      sendNodes: () => nodes.identities,
      snapshotLimit: settings.snapshotLimit,
      leaveCheck: new LeaveCheck(this.#leaveRules(protection)),
      elsewhere: (requests) => this.#showElsewhere(requests),
      warn,
      openStore: () => store.retain(),
      leaveStore: (left) => store.leaveRetained(left),
    });
    return this.#outbox;
  }
}
