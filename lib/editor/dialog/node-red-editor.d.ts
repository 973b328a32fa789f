/**
 * What @types/node-red leaves out of the editor's interface, or declares more narrowly than it is. The one place
 * for such gaps.
 */
import type { RED as EditorRED } from "@node-red/editor-client";
import type { EditedNode, NodeDefinition, Wire } from "./node-definition";

declare global {
  const RED: EditorRED;

  interface JQuery {
    autoComplete(options: {
      search: (typed: string) => readonly { value: string; label: string | JQuery }[];
      minLength?: number;
    }): this;

    searchBox(options: { style?: "compact"; delay?: number; change?: () => void }): this;
  }
}

declare module "@node-red/editor-client" {
  interface NodesRegistry {
    registerNodeType(type: string, definition: NodeDefinition): void;
  }

  interface Nodes {
    /** Null or undefined for an unknown id. */
    node(id: string): EditedNode | null | undefined;
    filterLinks(filter: { source: EditedNode }): Wire[];
    /** Undefined for an id that is no tab, such as a subflow. */
    workspace(id: string): { readonly disabled?: boolean; readonly label?: string } | undefined;
  }

  interface Editor {
    /** With a property and the prefix of its input, that input is notified of the change. */
    editConfig(name: string, type: string, id: string, prefix?: string): void;
  }

  interface Comms {
    on?(event: "connect", heard: () => void): void;
  }

  interface Utils {
    getNodeLabel(node: EditedNode, otherwise: string): string;
    /** True, or the reason. */
    validateTypedProperty(value: string, type: string, options: object): true | string;
  }
}
