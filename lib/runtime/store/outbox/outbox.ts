import { Claims } from "../../../gateway/queue/stored/claims";
import { PendingWrites } from "../../../gateway/queue/stored/pending-writes";
import type { QueueMemory, QueueStore } from "../../../gateway/queue/stored/stored-messages";
import type { Instances } from "../../../store/instances";
import type { Store } from "../../../store/store";
import type { OpenMessages, ResultNode } from "./stored-message";

/** Open messages of an account in this process, across deploys. It exists until its last session has nothing left. */
export class Outbox {
  static readonly #byAccount = new Map<string, Outbox>();

  static of(account: string): Outbox {
    const known = Outbox.#byAccount.get(account) ?? new Outbox(account);
    Outbox.#byAccount.set(account, known);
    return known;
  }

  /** Writes outcomes that could not be written before. @param place of the engine @throws StoreError */
  static async writePending(place: string, store: Pick<Store, "claims" | "settlements">): Promise<void> {
    for (const outbox of Outbox.#byAccount.values()) {
      const pending = outbox.#pending.get(place);
      await pending?.writeReleases(store.claims);
      await pending?.writeOutcomes(store.settlements);
      outbox.#endIfEmpty();
    }
  }

  /** Registrations whose sensitive texts exist only in this process. */
  static namesWithTexts(): readonly string[] {
    const hasTexts = ({ messages }: Outbox): boolean =>
      [...messages.values()].some(({ contents }) => contents !== null);
    return [...Outbox.#byAccount.values()].filter(hasTexts).flatMap(({ names }) => [...names]);
  }

  readonly messages: OpenMessages = new Map();
  readonly nodes = new Map<string, ResultNode>();
  /** One name for each registration of this process. */
  readonly names = new Set<string>();
  /** True after a store has lost the registration of this process: others may have adopted messages. */
  mayBeLost = false;
  /** By the place of a database. */
  readonly #pending = new Map<string, PendingWrites>();
  readonly #claims = new WeakMap<Instances, Claims>();
  /** Config nodes that exist or still wait for responses. */
  readonly #sessions = new Set<object>();

  private constructor(private readonly account: string) {}

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

  attachNode(id: string, node: ResultNode): () => void {
    this.nodes.set(id, node);
    return () => {
      if (this.nodes.get(id) === node) {
        this.nodes.delete(id);
      }
      this.#endIfEmpty();
    };
  }

  /** State that consecutive queues in this store share. */
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
