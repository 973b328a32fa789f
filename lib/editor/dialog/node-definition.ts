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

/** The editor takes a reason only from a function with two parameters. `inline` omits the label from the reason. */
export type Validate = (
  this: EditedNode,
  value: unknown,
  options?: { readonly inline?: boolean },
) => true | string;

export interface PropertyDefinition {
  value: unknown;
  type?: string;
  required?: boolean;
  validate?: Validate;
}

export interface CredentialDefinition {
  type: "text" | "password";
  validate?: Validate;
}

export interface NodeDefinition {
  category: string;
  color?: string;
  icon?: string;
  defaults: Record<string, PropertyDefinition>;
  credentials?: Record<string, CredentialDefinition>;
  inputs?: 0 | 1;
  outputs?: number;
  align?: "right";
  paletteLabel?(): string;
  onpaletteadd?(): void;
  label(this: EditedNode): string;
  /** The label without the account, for the sidebar. */
  ownLabel?(this: EditedNode): string;
  labelStyle?(this: EditedNode): string;
  outputLabels?(this: EditedNode, index: number): string;
  /** Called for added, pasted and imported nodes, not when flows are loaded. */
  onadd?(this: EditedNode): void;
  oneditprepare?(this: EditedNode): void;
  /** Returns changes that the editor cannot see in the properties. */
  oneditsave?(this: EditedNode): undefined | { history?: object[] };
}
