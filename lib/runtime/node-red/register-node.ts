import type { Node, NodeAPI, NodeCredentials, NodeDef } from "node-red";
import type { NodeType } from "../../shared/fields/initial-values";

/**
 * Registers a node type whose nodes are set up by a function. A node file loads what its nodes need in there, by `require`: a Node-RED without
 * nodes of the package does not load it.
 * @param setUp called for each node that Node-RED creates, with the node's configuration; properties that it lacks have their initial values
 * @param credentials names of the node's credentials, each `text` (shown in the dialog) or `password` (never shown)
 */
export function registerNode<Config extends object, Credentials extends object = object>(
  RED: NodeAPI,
  type: NodeType,
  setUp: (node: Node<Credentials>, config: NodeDef & Config) => void,
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
    // `done` raises its error by this as well.
    const raise = this.error.bind(this);
    this.error = (error, msg) => raise(spokenError(error, type), msg);
    setUp(this, withInitialValues<NodeDef & Config>(type, config));
  }
  RED.nodes.registerType(type, MessagingNode, credentials && { credentials });
}
