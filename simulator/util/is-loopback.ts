const LOOPBACK_HOST = /^(localhost|127(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}|\[::1\])(:\d{1,5})?$/i;

export function isLoopback(host: string): boolean {
  return LOOPBACK_HOST.test(host);
}
