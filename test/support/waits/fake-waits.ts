import type { NodeMessage } from "node-red";
import type { Reply, WaitEnd, WaitListener, WaitRequest, Waits } from "../../../lib/runtime/waits/waits";

/** Waits of an account that a test ends by hand. */
export class FakeWaits implements Waits {
  readonly begun: WaitRequest[] = [];
  /** The nodes that have joined, by their identity. */
  readonly joined = new Map<string, WaitListener>();
  /** Thrown by the next `begin`. */
  fault: Error | null = null;

  async begin(wait: WaitRequest): Promise<void> {
    if (this.fault !== null) {
      throw this.fault;
    }
    this.begun.push(wait);
  }

  join(node: string, listener: WaitListener): () => void {
    this.joined.set(node, listener);
    return () => void this.joined.delete(node);
  }

  async close(): Promise<void> {}

  /** The only node that has joined. */
  get listener(): WaitListener {
    const [listener, ...others] = this.joined.values();
    if (listener === undefined || others.length > 0) {
      throw new Error(`${this.joined.size} nodes have joined`);
    }
    return listener;
  }

  /** Ends the wait that began last, for its first recipient unless the end says otherwise. */
  end(given: Partial<WaitEnd>): void {
    const { msg, recipients, kind } = this.begun.at(-1) as WaitRequest;
    this.listener.emit({
      what: "happened",
      msg: structuredClone(msg) as NodeMessage,
      recipients: recipients.slice(0, 1),
      kind,
      status: null,
      at: Date.parse("2027-03-01T12:00:00Z"),
      reply: null,
      replaced: false,
      restored: false,
      sequence: null,
      ...given,
    });
  }
}

export const replyOf = (text: string, given: Partial<Reply> = {}): Reply => ({
  channel: "sms",
  number: "41790000001",
  text,
  event: { senderAddress: "+41790000001", textMessageContent: text },
  at: Date.parse("2027-03-01T12:00:00Z"),
  ...given,
});
