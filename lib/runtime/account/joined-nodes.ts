import type { Node } from "node-red";

/** The send nodes of an account, whether they work or not. */
export class JoinedNodes {
  /** By identity: Node-RED brings the statuses of an account to Status nodes for these. */
  readonly users: Record<string, Node> = {};
  /** How many have an identity: in a partial deploy a node and its successor exist side by side. */
  readonly #counts = new Map<string, number>();

  get identities(): readonly string[] {
    return [...this.#counts.keys()];
  }

  /** A send node with this identity exists. @returns ends it */
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
