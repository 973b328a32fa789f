import { Claims } from "../../../gateway/queue/stored/claims";
import { PendingWrites } from "../../../gateway/queue/stored/pending-writes";
import type { QueueMemory, QueueStore } from "../../../gateway/queue/stored/stored-messages";
import type { Instances } from "../../../store/instances";
import type { Store } from "../../../store/store";
import type { OpenMessages, ResultNode } from "./stored-message";

/**
 * What an account has accepted for its store and not yet given back to the flow: one for an account in a process, across deploys.
 * Config nodes come and go before it, each with a session of its own, and so do send nodes. It is made with the first session, and
 * ends with the last one as soon as it has nothing left: no open message, no send node, nothing that is still to be written.
 */
export class Outbox {
  static readonly #byAccount = new Map<string, Outbox>();

  /** The outbox of an account of this process. */
  static of(account: string): Outbox {
    const known = Outbox.#byAccount.get(account) ?? new Outbox(account);
    Outbox.#byAccount.set(account, known);
    return known;
  }

  /**
   * Writes what accounts of this process know of requests in a database and could not write before.
   * @param place of its engine
   * @throws StoreError
   */
  static async writePending(place: string, store: Pick<Store, "claims" | "settlements">): Promise<void> {
    for (const outbox of Outbox.#byAccount.values()) {
      const pending = outbox.#pending.get(place);
      await pending?.writeReleases(store.claims);
      await pending?.writeOutcomes(store.settlements);
      outbox.#endIfEmpty();
    }
  }

  /** Names of this process under which it has accepted sensitive messages whose texts wait here, and nowhere else. */
  static namesWithTexts(): readonly string[] {
    const hasTexts = ({ messages }: Outbox): boolean =>
      [...messages.values()].some(({ contents }) => contents !== null);
    return [...Outbox.#byAccount.values()].filter(hasTexts).flatMap(({ names }) => [...names]);
  }

  /** Messages whose results are on their way. */
  readonly messages: OpenMessages = new Map();
  /** Send nodes that run, by identity. */
  readonly nodes = new Map<string, ResultNode>();
  /** Names that this process has had in stores of the account: one for each registration. */
  readonly names = new Set<string>();
  /** Whether messages may be gone, or have been taken over: a store was left that did not know this process any more. */
  mayBeLost = false;
  /** What could not be written yet, by the place of a database. */
  readonly #pending = new Map<string, PendingWrites>();
  /** What was claimed under a registration. */
  readonly #claims = new WeakMap<Instances, Claims>();
  /** Config nodes that are there, or still wait for answers. */
  readonly #sessions = new Set<object>();

  private constructor(private readonly account: string) {}

  /** A config node comes. @returns ends its session */
  attach(session: object): () => void {
    this.#sessions.add(session);
    for (const message of this.messages.values()) {
      // It was checked with the settings of another config node.
      message.checked = null;
    }
    return () => {
      this.#sessions.delete(session);
      this.#endIfEmpty();
    };
  }

  /** A send node starts. @returns ends it */
  attachNode(id: string, node: ResultNode): () => void {
    this.nodes.set(id, node);
    return () => {
      if (this.nodes.get(id) === node) {
        this.nodes.delete(id);
      }
      this.#endIfEmpty();
    };
  }

  /** What queues in this store have in common that follow each other. */
  memoryOf({ store, instances }: QueueStore): QueueMemory {
    const { place } = store.engine;
    const pending = this.#pending.get(place) ?? new PendingWrites(this.account);
    this.#pending.set(place, pending);
    const claims = this.#claims.get(instances) ?? new Claims();
    this.#claims.set(instances, claims);
    this.names.add(instances.id);
    return { claims, pending };
  }

  #endIfEmpty(): void {
    const isWritten = [...this.#pending.values()].every(({ isEmpty }) => isEmpty);
    const isEmpty =
      this.#sessions.size === 0 && this.messages.size === 0 && this.nodes.size === 0 && isWritten;
    if (isEmpty && Outbox.#byAccount.get(this.account) === this) {
      Outbox.#byAccount.delete(this.account);
    }
  }
}
