import type { WaitEnd, WaitListener } from "../waits";

/** A message-wait node that runs, or one that is gone and may come back. */
export class WaitingNode {
  /** Null while no node with this identity runs. */
  #listener: WaitListener | null = null;
  /** Recipients that it waits for. */
  open = 0;
  /** What it gets when it is back, in order. */
  #kept: WaitEnd[] = [];
  /** Recipients of what is kept. */
  kept = 0;
  /** Epoch ms since which it is gone. */
  goneSince: number;

  constructor(
    readonly identity: string,
    now: number,
  ) {
    this.goneSince = now;
  }

  get listener(): WaitListener | null {
    return this.#listener;
  }

  /** Whether nothing is known of it that somebody may need. */
  get isIdle(): boolean {
    return this.#listener === null && this.open === 0 && this.kept === 0;
  }

  arrive(listener: WaitListener): void {
    this.#listener = listener;
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
    if (this.#listener === null) {
      this.#kept.push(end);
      this.kept += end.recipients.length;
    } else {
      this.#listener.emit(end);
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
