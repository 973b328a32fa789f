/** IPv4 addresses of this computer and of private networks (RFC 1918). */
const PRIVATE = /^(127|10)(\.\d{1,3}){3}$|^192\.168(\.\d{1,3}){2}$|^172\.(1[6-9]|2\d|3[01])(\.\d{1,3}){2}$/;
/** Host names that no public name server resolves (RFC 6761). */
const LOCAL_NAME = /(^|\.)localhost\.?$/i;

/** Whether an address is valid only on this computer or in its private network. */
export function isLocalAddress(address: string): boolean {
  if (!URL.canParse(address)) {
    return false;
  }
  const { hostname } = new URL(address);
  return PRIVATE.test(hostname) || LOCAL_NAME.test(hostname) || hostname === "[::1]";
}
