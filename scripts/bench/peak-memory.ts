const PACE_MS = 5;

/** The kernel counts the peak in KiB. */
const highest = (): number => process.resourceUsage().maxRSS * 1024;

/** Watches the memory of this process (RSS) from now on. */
export class PeakMemory {
  readonly #before = process.memoryUsage.rss();
  readonly #highestBefore = highest();
  #peak = this.#before;
  readonly #timer = setInterval(() => this.#look(), PACE_MS);

  #look(): void {
    this.#peak = Math.max(this.#peak, process.memoryUsage.rss());
  }

  /** Ends the watch. @returns bytes by which the process was larger at its peak than at the beginning */
  stop(): number {
    clearInterval(this.#timer);
    this.#look();
    // What rose and fell between two looks shows in the kernel's own count, if it was a record.
    const record = highest();
    return Math.max(this.#peak, record > this.#highestBefore ? record : 0) - this.#before;
  }
}
