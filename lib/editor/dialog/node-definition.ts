/** A node as the editor holds it: its properties beside a few facts of the editor. */
export interface EditedNode {
  readonly id: string;
  readonly type: string;
  name: string;
  outputs: number;
  valid?: boolean;
  d?: boolean;
  [property: string]: unknown;
}

export interface Wire {
  source: EditedNode;
  sourcePort: number;
  target: EditedNode;
}

/**
 * True, or why the value is wrong. The editor takes a reason only from a function with two parameters.
 * `inline` is ours: the reason will stand under its input, where the label need not be repeated.
 */
export type Validate = (
  this: EditedNode,
  value: unknown,
  options?: { readonly inline?: boolean },
) => true | string;

export interface PropertyDefinition {
  value: unknown;
  /** Type of the config node that the property refers to. */
  type?: string;
  required?: boolean;
  validate?: Validate;
}

export interface CredentialDefinition {
  type: "text" | "password";
  validate?: Validate;
}

/** What `RED.nodes.registerType` takes, as far as we use it. */
export interface NodeDefinition {
  category: string;
  color?: string;
  icon?: string;
  defaults: Record<string, PropertyDefinition>;
  credentials?: Record<string, CredentialDefinition>;
  inputs?: 0 | 1;
  outputs?: number;
  /** On which side the icon stands; the left one unless said otherwise. */
  align?: "right";
  paletteLabel?(): string;
  onpaletteadd?(): void;
  label(this: EditedNode): string;
  /** The label without the account. For the sidebar, which has accounts of its own. */
  ownLabel?(this: EditedNode): string;
  labelStyle?(this: EditedNode): string;
  outputLabels?(this: EditedNode, index: number): string;
  /** The node was dragged in, pasted or imported; never when flows are loaded. */
  onadd?(this: EditedNode): void;
  oneditprepare?(this: EditedNode): void;
  /** What is returned tells the editor of changes it cannot see in the properties. */
  oneditsave?(this: EditedNode): undefined | { history?: object[] };
}
