import type { Node, NodeAPI, NodeMessage } from "node-red";
import { sanitiseName } from "../../shared/sanitise-text";

export class ResultProperty {
  /** @param place property to use if the path leads through a text or a number */
  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    readonly path: string,
    private readonly place: string,
    private readonly warning: (values: { readonly property: string; readonly place: string }) => string,
  ) {}

  /** @throws Error for an invalid path */
  put(msg: NodeMessage, value: unknown, path = this.path): void {
    const wasSet: unknown = this.RED.util.setMessageProperty(msg, path, value, true);
    if (wasSet === false) {
      this.putElsewhere(msg, value, path);
    }
  }

  putElsewhere(msg: NodeMessage, value: unknown, path = this.path): void {
    const { place } = this;
    Object.assign(msg, { [place]: value });
    this.node.warn(this.warning({ property: sanitiseName(path), place }));
  }
}
