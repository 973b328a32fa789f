import type { Node } from "node-red";

export class JoinedNodes {
  /** By identity. Node-RED sends the statuses of an account to the Status nodes of these. */
  readonly users: Record<string, Node> = {};
  /** In a partial deploy a node and its successor exist at the same time. */
  readonly #counts = new Map<string, number>();

  get identities(): readonly string[] {
    return [...this.#counts.keys()];
  }

  join(identity: string, node: Node): () => void {
    this.#counts.set(identity, (this.#counts.get(identity) ?? 0) + 1);
    this.users[identity] = node;
    return () => {
      if (this.users[identity] === node) {
        delete this.users[identity];
      }
      const left = (this.#counts.get(identity) ?? 1) - 1;
      if (left === 0) {
        this.#counts.delete(identity);
      } else {
        this.#counts.set(identity, left);
      }
    };
  }
}
