import type { WaitEnd, WaitListener } from "../waits";

/** A message-wait node that runs, or one that is gone and may come back. */
export class WaitingNode {
  /** Null while there is no node with this identity. */
  #listener: WaitListener | null = null;
  /** Recipients that it waits for. */
  open = 0;
  /** What it gets when it is back, in order. */
  #kept: WaitEnd[] = [];
  /** Recipients of what is kept. */
  kept = 0;
  /** Epoch ms since which it is gone. */
  goneSince: number;

  /** @param mayEmit whether messages may leave nodes now */
  constructor(
    readonly identity: string,
    private readonly mayEmit: () => boolean,
    now: number,
  ) {
    this.goneSince = now;
  }

  /** Null while nothing may leave the node. */
  get listener(): WaitListener | null {
    return this.mayEmit() ? this.#listener : null;
  }

  get isJoined(): boolean {
    return this.#listener !== null;
  }

  /** Whether nothing is known of it that somebody may need. */
  get isIdle(): boolean {
    return this.#listener === null && this.open === 0 && this.kept === 0;
  }

  join(listener: WaitListener): void {
    this.#listener = listener;
  }

  /** Brings the node what was kept, where it runs. */
  emitKept(): void {
    const { listener } = this;
    if (listener === null) {
      return;
    }
    const kept = this.#kept;
    this.forgetKept();
    for (const end of kept) {
      listener.emit(end);
    }
  }

  /** @returns false where another one has taken its place */
  leave(listener: WaitListener, now: number): boolean {
    if (this.#listener !== listener) {
      return false;
    }
    this.#listener = null;
    this.goneSince = now;
    return true;
  }

  emit(end: WaitEnd): void {
    const { listener } = this;
    if (listener === null) {
      this.#kept.push(end);
      this.kept += end.recipients.length;
    } else {
      listener.emit(end);
    }
  }

  forgetKept(): void {
    this.#kept = [];
    this.kept = 0;
  }

  tellOpen(): void {
    this.#listener?.counted(this.open);
  }
}
