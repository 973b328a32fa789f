import type { ClaimGuard } from "../../../store/guards/guard-calls";
import type { Instances } from "../../../store/instances";
import type { ClaimedRequest } from "../../../store/jobs/request-claims";
import type { Store } from "../../../store/store";
import type { PreparedRequest } from "../../codec/prepare-request";
import type { Verdict } from "../../codec/verdict";
import type { BlockedRecipients } from "../blocked-recipients";
import type { DispatcherHandle } from "../queue-handle";
import type { SignInGate } from "../sign-in-gate";
import type { Claims } from "./claims";
import type { PendingWrites } from "./pending-writes";
import type { QueueWork } from "./queue-work";

/** What a durable queue works on. */
export interface QueueStore {
  readonly account: string;
  readonly store: Store;
  /** This process. */
  readonly instances: Instances;
}

/** What the account knows beyond a queue: the same objects for queues that follow each other. */
export interface QueueMemory {
  readonly claims: Claims;
  readonly pending: PendingWrites;
}

/** Makes stored requests ready to leave. */
export interface RequestContents {
  /** The request as it leaves, or the verdict of a part that is not sent. @throws FieldError, SetupError */
  prepare(request: ClaimedRequest, dispatcher: DispatcherHandle): PreparedRequest | Verdict;
  /** Whether the send is a test, which the service only simulates. */
  isTest(request: ClaimedRequest): boolean;
}

/** What is checked when a request leaves. */
export interface QueueRules {
  /** The parts of a claimed request that do not leave now; none where all of it may leave. Must not throw. */
  hold(request: ClaimedRequest): readonly BlockedRecipients[];
  /** What the claims of the account have to keep to. */
  readonly guard: () => Omit<ClaimGuard, "destination">;
}

/** Brings results to nodes. Nothing of it may throw. */
export interface QueueResults {
  /** The outcome is known, and on the disk unless the store is away. @param resultOwner instance that emits it */
  settled(request: ClaimedRequest, verdict: Verdict, resultOwner: string, answeredAt: number): void;
  /** Recipients of the request have become requests of their own. @param parts of those requests */
  divided(request: ClaimedRequest, parts: readonly number[]): void;
  /** These requests are marked as emitted on the disk. */
  marked(ids: readonly number[]): void;
}

/** Hears how the store of a queue is. */
export interface QueueListener {
  /** The store has failed; null: it works again. */
  readonly fault: (error: Error | null) => void;
  /** Results are on the disk now that could not be emitted when they were known. */
  readonly late: () => void;
  /** The lease of this process has expired. The queue sends nothing more. */
  readonly over: () => void;
}

/** What a durable queue works with. */
export interface QueueParts {
  readonly place: QueueStore;
  readonly memory: QueueMemory;
  /** Gives access to the dispatcher. */
  readonly openForStore: (onIdle: () => void) => DispatcherHandle;
  readonly contents: RequestContents;
  readonly rules: QueueRules;
  readonly results: QueueResults;
  readonly listener: QueueListener;
  readonly signIns: SignInGate;
  /** Where its requests go: others are left alone. */
  readonly destination: string;
  /** Epoch ms. */
  readonly now?: () => number;
}

/** What the parts of a durable queue share. */
export interface QueueCore extends QueueParts {
  readonly dispatcher: DispatcherHandle;
  readonly work: QueueWork;
  readonly now: () => number;
}

/** Whether a request has taken once keys or a part of a limit. */
export const isGuarded = (request: ClaimedRequest, rules: QueueRules): boolean =>
  request.rules.once || rules.guard().limits !== null;

/** What claims of the account have to keep to. */
export const claimGuard = ({ rules, destination, signIns }: QueueCore): ClaimGuard => ({
  ...rules.guard(),
  destination,
  pausedOperations: signIns.pausedOperations,
});
