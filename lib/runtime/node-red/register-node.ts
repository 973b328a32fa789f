import type { Node, NodeAPI, NodeCredentials, NodeDef } from "node-red";
import type { NodeType } from "../../shared/fields/initial-values";

/** Node files load their dependencies in `setUp`, so that a Node-RED without these nodes does not load them. */
export function registerNode<Config extends object, Credentials extends object = object>(
  RED: NodeAPI,
  type: NodeType,
  setUp: (node: Node<Credentials>, config: NodeDef & Config) => void,
  credentials?: NodeCredentials<Credentials>,
): void {
  // Each type has its own function because Node-RED changes the prototype of a registered one.
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
