const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/** True for a host, with or without a port, that says by its name that it is this machine. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_HOST.test(host);
}
