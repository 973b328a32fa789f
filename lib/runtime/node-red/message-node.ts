import type { Node, NodeMessage, NodeStatus } from "node-red";
import { Throttle } from "./throttle";

/** As Node-RED gives it with a message. */
export type Send = (messages: NodeMessage | (NodeMessage | null)[]) => void;

/** What a kind of node does with its messages. */
interface MessageWork<Setup> {
  /** Reads the configuration. Called once: a closing node can no longer look up its account. What it throws is the error of each message. */
  readonly configure: () => Setup;
  /** Sends what the message leads to; its error becomes that of the message. */
  readonly answer: (msg: NodeMessage, send: Send, setup: Setup) => Promise<void>;
  /** Shows the error on the badge. */
  readonly failed: (error: unknown) => void;
}

/** The frame of a node that answers its messages one by one: a badge at a limited rate, and a close that waits for all answers. */
export class MessageNode {
  readonly #pending = new Set<Promise<void>>();
  readonly #throttle: Throttle;
  #status: NodeStatus = {};

  constructor(private readonly node: Node) {
    this.#throttle = new Throttle(() => node.status(this.#status));
    node.on("close", (closed: () => void) => {
      this.#throttle.close();
      void this.answered().then(() => closed());
    });
  }

  /** Begins to answer messages. @returns the set-up; null where it is wrong */
  begin<Setup>({ configure, answer, failed }: MessageWork<Setup>): Setup | null {
    let setup: Setup | null = null;
    let fault: unknown = null;
    try {
      setup = configure();
    } catch (error) {
      fault = error;
      failed(error);
    }
    const run = async (msg: NodeMessage, send: Send, done: (error?: Error) => void): Promise<void> => {
      try {
        if (setup === null) {
          throw fault;
        }
        await answer(msg, send, setup);
        done();
      } catch (error) {
        failed(error);
        done(error as Error);
      }
    };
    this.node.on("input", (msg, send, done) => {
      const running = run(msg, send, done).finally(() => this.#pending.delete(running));
      this.#pending.add(running);
    });
    return setup;
  }

  /** Resolves when the messages that have come are answered. */
  async answered(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }

  show(status: NodeStatus): void {
    this.#status = status;
    this.#throttle.ask();
  }

  /** Shows what is wrong. @param text a few words */
  showFault(text: string): void {
    this.show({ fill: "red", shape: "ring", text });
  }
}
