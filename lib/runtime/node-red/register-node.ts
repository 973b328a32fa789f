import type { Node, NodeAPI, NodeCredentials, NodeDef } from "node-red";
import type { Values } from "../../shared/fields/initial-values";
import type { LabelsByLanguage } from "../../texts/field-labels";

/** What a node type is at runtime. */
export interface NodeRuntime<Config extends object, Credentials extends object = object> {
  /** Values of the properties that a node may lack. */
  readonly initial: Values;
  readonly labels: LabelsByLanguage;
  /** Sets up a node that Node-RED has created. */
  readonly start: (RED: NodeAPI, node: Node<Credentials>, config: NodeDef & Config) => void;
}

/**
 * Registers a node type.
 * @param load requires the code of the type, which a Node-RED without such nodes does not load
 * @param credentials names of the node's credentials, each `text` (shown in the dialog) or `password` (never shown)
 */
export function registerNode<Config extends object, Credentials extends object = object>(
  RED: NodeAPI,
  type: string,
  load: () => NodeRuntime<Config, Credentials>,
  credentials?: NodeCredentials<Credentials>,
): void {
  // A function of its own for each type: Node-RED changes the prototype of what it registers.
  function MessagingNode(this: Node<Credentials>, config: NodeDef & Config): void {
    const { withInitialValues } =
      require("../../shared/fields/initial-values") as typeof import("../../shared/fields/initial-values");
    const { followLanguage } = require("./follow-language") as typeof import("./follow-language");
    const { spokenError } = require("./spoken-error") as typeof import("./spoken-error");
    followLanguage(RED);
    RED.nodes.createNode(this, config);
    const { initial, labels, start } = load();
    // `done` raises its error by this as well.
    const raise = this.error.bind(this);
    this.error = (error, msg) => raise(spokenError(error, labels), msg);
    start(RED, this, withInitialValues<NodeDef & Config>(initial, config));
  }
  RED.nodes.registerType(type, MessagingNode, credentials && { credentials });
}
