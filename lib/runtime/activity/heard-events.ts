/** Events that are remembered. The webhooks of an account are told of one within moments. */
const MOST = 1_000;

/** Tells an event from the copies of it that the other webhooks of its account get. */
export class HeardEvents {
  /** By account and key of the event: how often each webhook got it. The oldest ones come first. */
  readonly #heard = new Map<string, Map<string, number>>();

  /**
   * A webhook got an event. Equal ones without an id of their own have one key: of those each webhook gets each.
   * @param key of the event @param node id of the webhook
   * @returns whether no other webhook of the account has got it before
   */
  isNew(account: string, key: string, node: string): boolean {
    const name = `${account} ${key}`;
    const byNode = this.#heard.get(name) ?? new Map<string, number>();
    const most = Math.max(0, ...byNode.values());
    const times = (byNode.get(node) ?? 0) + 1;
    byNode.set(node, times);
    this.#heard.delete(name);
    this.#heard.set(name, byNode);
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
