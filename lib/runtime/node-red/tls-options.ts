import { createSecureContext } from "node:tls";
import type { Node } from "node-red";
import type { TlsOptions } from "../../gateway/contract/settings";
import { SetupError } from "../../shared/messaging-error";
import { sanitiseText } from "../../shared/sanitise-text";
import { say } from "../../texts/say";

const WRONG_PASSPHRASE = /BAD_DECRYPT|PASSPHRASE|PASSWORD|INTERRUPTED_OR_CANCELLED/;
const LONGEST_REASON = 100;

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
  try {
    createSecureContext(options);
  } catch (error) {
    const { code = "", message } = error as Error & { code?: string };
    const reason = sanitiseText(message, LONGEST_REASON);
    throw new SetupError(
      "BAD_TLS",
      say(WRONG_PASSPHRASE.test(code) ? "account.tls.passphrase" : "account.tls.files", { reason }),
    );
  }
  return options;
}
