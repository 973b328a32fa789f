import { WebSocket } from "undici";
import { waitFor } from "../wait-for";

/** The badge of a node. */
export interface NodeStatus {
  readonly text?: string;
  readonly fill?: string;
  readonly shape?: string;
}

/** Follows the badges of all nodes the way an open editor does. */
export class StatusWatch {
  readonly #socket: WebSocket;
  readonly #latest = new Map<string, NodeStatus>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#read(String(data)));
  }

  /** @param url address of Node-RED's editor */
  static async open(url: string): Promise<StatusWatch> {
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/comms`);
    const watch = new StatusWatch(socket);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => resolve());
      socket.addEventListener("error", () => reject(new Error(`no connection to ${url}/comms`)));
    });
    socket.send(JSON.stringify({ subscribe: "status/#" }));
    return watch;
  }

  latest(nodeId: string): NodeStatus | undefined {
    return this.#latest.get(nodeId);
  }

  /** Waits until a node's badge fits. */
  waitFor(nodeId: string, fits: (status: NodeStatus) => boolean, deadline?: number): Promise<NodeStatus> {
    return waitFor(
      () => `a badge of ${nodeId}; the last is ${JSON.stringify(this.latest(nodeId))}`,
      () => {
        const status = this.latest(nodeId);
        return status && fits(status) && status;
      },
      deadline,
    );
  }

  close(): void {
    this.#socket.close();
  }

  #read(text: string): void {
    const messages = [JSON.parse(text)].flat() as { topic?: string; data?: NodeStatus }[];
    for (const { topic, data } of messages) {
      const id = /^status\/(.+)$/.exec(topic ?? "")?.[1];
      if (id !== undefined) this.#latest.set(id, data ?? {});
    }
  }
}
