import type { SignIn } from "../../shared/outcomes";
import type { ClaimedRequest } from "../../store/jobs/request-claims";
import type { Verdict } from "../codec/verdict";
import { OPERATIONS } from "../contract/operations";

/** ms between two probes of a refused sign-in. */
export const PROBE_PAUSE = 5 * 60_000;
/** A request that this many probes refused ends with the outcome of the last one. */
const MAX_PROBES = 3;

/** A sign-in that the service refuses. */
export interface RefusedSignIn {
  readonly signIn: SignIn;
  /** Epoch ms. */
  readonly since: number;
  /** The first refusal. */
  readonly verdict: Verdict;
}

type Sent = Pick<ClaimedRequest, "id" | "job" | "operation">;

interface Pause extends RefusedSignIn {
  /** Moment of the gate's clock from which on the next request is a probe. */
  probeAt: number;
  /** Id of the request that was the last probe. */
  probe: number | null;
  /** By id of a request. */
  readonly refusedProbes: Map<number, number>;
}

/** By operation that sends. */
const SIGN_INS: ReadonlyMap<string, SignIn> = new Map(
  Object.values(OPERATIONS)
    .filter(({ recipients }) => recipients !== null)
    .map(({ id, scope }) => [id, scope === null ? "legacy" : scope === "messaging:rcs" ? "rcs" : "whatsapp"]),
);
const NONE: readonly string[] = [];

const isRefusal = ({ retry }: Verdict): boolean =>
  retry === "sign-in" || retry === "client" || retry === "sign-in-twice";

/** True if the service looked at the message, so that it accepts the sign-in. */
const isAccepted = ({ source, statusCode, outcome }: Verdict): boolean =>
  source === "service" && statusCode !== null && outcome !== "retry-later" && outcome !== "unknown";

/**
 * Whether requests of a sign-in start in this process.
 * - `open`: all. Left when the service refuses the sign-in; by a bare HTTP 403 when a second message gets it.
 * - `paused`: one request every five minutes, as a probe. Left when the service accepts a request.
 */
export class SignInGate {
  readonly #paused = new Map<SignIn, Pause>();
  /** Job that was the first to get a bare HTTP 403. */
  readonly #suspects = new Map<SignIn, number>();
  readonly #listeners = new Set<() => void>();

  /** @param waits false if refused messages fail @param elapsed ms of a clock that is never set */
  constructor(
    private readonly waits = true,
    private readonly elapsed = (): number => performance.now(),
  ) {}

  get refused(): readonly RefusedSignIn[] {
    return [...this.#paused.values()];
  }

  /** Those whose requests are not claimed. */
  get pausedOperations(): readonly string[] {
    return this.#paused.size === 0 ? NONE : [...SIGN_INS.keys()].filter((each) => this.isPaused(each));
  }

  /** ms until a probe is due; null if none is to come. */
  get nextProbeIn(): number | null {
    const now = this.elapsed();
    const waits = [...this.#paused.values()].map(({ probeAt }) => probeAt - now).filter((wait) => wait > 0);
    return waits.length === 0 ? null : Math.min(...waits);
  }

  /** Calls back when a sign-in is paused or may be tried again. @returns ends it */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  isPaused(operation: string): boolean {
    const pause = this.#pauseOf(operation);
    return pause !== undefined && this.elapsed() < pause.probeAt;
  }

  /** @returns false if the request waits; the first one after a pause is the probe */
  admit({ id, operation }: Sent): boolean {
    const pause = this.#pauseOf(operation);
    if (pause === undefined) {
      return true;
    }
    const isDue = this.elapsed() >= pause.probeAt;
    if (isDue) {
      pause.probe = id;
      pause.probeAt = this.elapsed() + PROBE_PAUSE;
    }
    return isDue;
  }

  /** Whether an admitted request may still be sent. */
  mayLeave({ id, operation }: Sent): boolean {
    const pause = this.#pauseOf(operation);
    return pause === undefined || pause.probe === id;
  }

  /** An admitted request was not tried: the next one is the probe in its place. */
  unsent({ id, operation }: Sent): void {
    const pause = this.#pauseOf(operation);
    if (pause?.probe === id) {
      pause.probeAt = this.elapsed();
    }
  }

  /** Reads the verdict on a request. @returns true if the request goes back to the queue */
  keeps(request: Sent, verdict: Verdict): boolean {
    const signIn = SIGN_INS.get(request.operation);
    if (!this.waits || signIn === undefined) {
      return false;
    }
    if (!isRefusal(verdict)) {
      if (isAccepted(verdict)) {
        this.#suspects.delete(signIn);
        this.#open(signIn);
        this.#openClient(signIn);
      }
      return false;
    }
    const pause = this.#pauseOf(request.operation);
    if (verdict.retry === "sign-in-twice" && pause === undefined && this.#isFirst(signIn, request.job)) {
      return false;
    }
    const isSpent = pause?.probe === request.id && this.#countProbe(pause, request.id) >= MAX_PROBES;
    if (verdict.retry === "client") {
      this.#pause("client", verdict);
    } else {
      this.#pause(signIn, verdict);
      // Whatever refuses a scope has accepted the client.
      this.#openClient(signIn);
    }
    return !isSpent;
  }

  /** Sends a probe of each refused sign-in at once. Earlier probes do not count. */
  resume(): void {
    for (const pause of this.#paused.values()) {
      pause.probeAt = this.elapsed();
      pause.refusedProbes.clear();
    }
    this.#changed();
  }

  #pauseOf(operation: string): Pause | undefined {
    const signIn = SIGN_INS.get(operation);
    const client = signIn === "legacy" ? undefined : this.#paused.get("client");
    return signIn && (client ?? this.#paused.get(signIn));
  }

  /** True if no other message was refused by a bare HTTP 403 before. */
  #isFirst(signIn: SignIn, job: number): boolean {
    const first = this.#suspects.get(signIn) ?? job;
    this.#suspects.set(signIn, first);
    return first === job;
  }

  #countProbe(pause: Pause, id: number): number {
    const count = (pause.refusedProbes.get(id) ?? 0) + 1;
    pause.refusedProbes.set(id, count);
    pause.probe = null;
    return count;
  }

  #pause(signIn: SignIn, verdict: Verdict): void {
    if (!this.#paused.has(signIn)) {
      const probeAt = this.elapsed() + PROBE_PAUSE;
      const refused = { signIn, since: Date.now(), verdict };
      this.#paused.set(signIn, { ...refused, probeAt, probe: null, refusedProbes: new Map() });
      this.#suspects.delete(signIn);
      this.#changed();
    }
  }

  #open(signIn: SignIn): void {
    if (this.#paused.delete(signIn)) {
      this.#changed();
    }
  }

  /** Opens the OAuth client of which this is a scope. */
  #openClient(signIn: SignIn): void {
    if (signIn !== "legacy") {
      this.#open("client");
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
