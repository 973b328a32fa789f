import type { Node, NodeMessage, NodeStatus } from "node-red";
import { Throttle } from "./throttle";

export type Send = (messages: NodeMessage | (NodeMessage | null)[]) => void;

interface MessageWork<Setup> {
  /** Called once, because a closing node can no longer look up its account. Its error becomes the error of each message. */
  readonly configure: () => Setup;
  readonly answer: (msg: NodeMessage, send: Send, setup: Setup) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/** The frame of a node that answers messages one by one. Its close waits for all answers. */
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

  async answered(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }

  show(status: NodeStatus): void {
    this.#status = status;
    this.#throttle.ask();
  }

  showFault(text: string): void {
    this.show({ fill: "red", shape: "ring", text });
  }
}
