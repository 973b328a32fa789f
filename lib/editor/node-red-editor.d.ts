/**
 * What @types/node-red leaves out of the editor's interface, or declares more narrowly than it is. The one place
 * for such gaps.
 */
import type { EditorRED } from "node-red";

declare global {
  const RED: EditorRED;

  interface JQuery {
    /** Node-RED's own completion menu for a text input. */
    autoComplete(options: {
      search: (typed: string) => readonly { value: string; label: string | JQuery }[];
      minLength?: number;
    }): this;
  }
}

declare module "@node-red/editor-client" {
  /** A node as the editor holds it: its properties beside a few facts of the editor. */
  interface EditedNode {
    readonly id: string;
    readonly type: string;
    name: string;
    outputs: number;
    valid?: boolean;
    /** True when disabled. */
    d?: boolean;
    [property: string]: unknown;
  }

  interface Wire {
    source: EditedNode;
    sourcePort: number;
    target: EditedNode;
  }

  /** `validate` takes any value and, when it has two parameters, may answer with the reason. */
  interface PropertyDefinition {
    value: unknown;
    type?: string;
    required?: boolean;
    validate?(this: EditedNode, value: unknown, options?: unknown): boolean | string;
  }

  interface CredentialDefinition {
    type: "text" | "password";
    validate?(this: EditedNode, value: unknown, options?: unknown): boolean | string;
  }

  interface NodeDefinition {
    category: string;
    color?: string;
    icon?: string;
    defaults: Record<string, PropertyDefinition>;
    credentials?: Record<string, CredentialDefinition>;
    inputs?: 0 | 1;
    outputs?: number;
    paletteLabel?(): string;
    label(this: EditedNode): string;
    labelStyle?(this: EditedNode): string;
    inputLabels?(this: EditedNode): string;
    outputLabels?(this: EditedNode, index: number): string;
    oneditprepare?(this: EditedNode): void;
    oneditsave?(this: EditedNode): undefined | { changed?: boolean; history?: object[] };
  }

  interface NodesRegistry {
    registerNodeType(type: string, definition: NodeDefinition): void;
  }

  interface Nodes {
    node(id: string): EditedNode | null;
    filterLinks(filter: { source: EditedNode }): Wire[];
  }

  interface Utils {
    /** True, or the reason. */
    validateTypedProperty(value: string, type: string, options: object): true | string;
  }
}
