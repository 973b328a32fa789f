import type { Node, NodeMessage, NodeStatus } from "node-red";
import { Throttle } from "./throttle";

/** As Node-RED gives it with a message. */
export type Send = (messages: NodeMessage | (NodeMessage | null)[]) => void;

/** Answers messages of a node one by one, shows its badge at a limited rate, and lets it close when all of them are answered. */
export class MessageRuns {
  readonly #pending = new Set<Promise<void>>();
  readonly #throttle: Throttle;
  #status: NodeStatus = {};

  /**
   * @param answer sends what the message leads to; its error becomes that of the message
   * @param failed shows the error on the badge
   */
  constructor(
    node: Node,
    private readonly answer: (msg: NodeMessage, send: Send) => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {
    this.#throttle = new Throttle(() => node.status(this.#status));
    node.on("input", (msg, send, done) => {
      const run = this.#run(msg, send, done).finally(() => this.#pending.delete(run));
      this.#pending.add(run);
    });
    node.on("close", (closed: () => void) => {
      this.#throttle.close();
      void Promise.allSettled(this.#pending).then(() => closed());
    });
  }

  show(status: NodeStatus): void {
    this.#status = status;
    this.#throttle.ask();
  }

  async #run(msg: NodeMessage, send: Send, done: (error?: Error) => void): Promise<void> {
    try {
      await this.answer(msg, send);
      done();
    } catch (error) {
      this.failed(error);
      done(error as Error);
    }
  }
}
