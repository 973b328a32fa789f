import type { Node } from "node-red";
import type { TlsOptions } from "../../gateway/contract/settings";
import { SetupError } from "../../shared/messaging-error";

export type ResolveNode = (id: string) => Node | null | undefined;

type TlsNode = Node & { valid?: boolean; addTLSOptions?: (options: Record<string, unknown>) => unknown };

/** @param id blank for none @throws SetupError BAD_TLS */
export function readTlsOptions(
  id: string | undefined,
  find: ResolveNode,
  fault: () => string,
): TlsOptions | null {
  if (!id) {
    return null;
  }
  const node = find(id) as TlsNode | null | undefined;
  if (!node?.addTLSOptions || node.valid === false) {
    throw new SetupError("BAD_TLS", fault());
  }
  const options: Record<string, unknown> = {};
  node.addTLSOptions(options);
  return options;
}
