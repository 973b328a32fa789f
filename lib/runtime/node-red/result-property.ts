import type { Node, NodeAPI, NodeMessage } from "node-red";
import { sanitiseName } from "../../shared/sanitise-text";

/** Where a node writes its result into messages. */
export class ResultProperty {
  /**
   * @param path in `msg`, without `msg.`
   * @param place property that takes the result where the path leads through a text or a number
   * @param warning says that it is there
   */
  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    readonly path: string,
    private readonly place: string,
    private readonly warning: (values: { readonly property: string; readonly place: string }) => string,
  ) {}

  /** @param path of another property, for a part of the result @throws Error for a path that is none */
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
