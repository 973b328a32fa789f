/** Events that are remembered, and ms for which: the webhooks of an account are told of one within moments. */
const [MOST, REMEMBERED] = [1_000, 5 * 60_000];

interface Heard {
  /** How often each webhook got it. */
  readonly byNode: Map<string, number>;
  /** Epoch ms of the last time. */
  readonly at: number;
}

/** Tells an event from the copies of it that the other webhooks of its account get. */
export class HeardEvents {
  /** By account and key of the event. The oldest ones come first. */
  readonly #heard = new Map<string, Heard>();

  /**
   * A webhook got an event. Equal ones without an id of their own have one key: of those each webhook gets each.
   * @param account blank for none: such webhooks have nothing to do with each other @param key of the event @param node id of the webhook
   * @returns whether no other webhook of the account has got it before
   */
  isNew(account: string, key: string, node: string): boolean {
    if (account === "") {
      return true;
    }
    const name = `${account} ${key}`;
    const [heard, at] = [this.#heard.get(name), Date.now()];
    // A webhook that is gone would otherwise be ahead of the others for ever.
    const byNode =
      heard !== undefined && at - heard.at < REMEMBERED ? heard.byNode : new Map<string, number>();
    const most = Math.max(0, ...byNode.values());
    const times = (byNode.get(node) ?? 0) + 1;
    byNode.set(node, times);
    this.#heard.delete(name);
    this.#heard.set(name, { byNode, at });
    if (this.#heard.size > MOST) {
      const [oldest = ""] = this.#heard.keys();
      this.#heard.delete(oldest);
    }
    return times > most;
  }

  clear(): void {
    this.#heard.clear();
  }
}
