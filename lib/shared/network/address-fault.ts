/** Why an address of the service cannot be used. */
export type AddressFault =
  | "blank"
  | "not-a-url"
  | "local-without-http"
  | "has-credentials"
  | "has-query"
  | "insecure";

const LOOPBACK = String.raw`localhost|127(\.\d{1,3}){3}|\[::1\]`;

/**
 * Hosts of this computer itself, as a `URL` writes them; the only ones that plain http may go to. `x.localhost` and
 * `localhost.` are not among them: systems ask a name server for these, which may name any computer.
 */
export const LOOPBACK_HOST = new RegExp(`^(${LOOPBACK})$`, "i");

/** An address of this computer that lacks its scheme, such as `localhost:8080`. */
const LOCAL_START = new RegExp(`^(${LOOPBACK})(:|/|$)`, "i");

/** Whether requests to an address are unencrypted on a network: http, except on this computer. */
export function isPlainHttp(address: string): boolean {
  if (!URL.canParse(address)) {
    return false;
  }
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !LOOPBACK_HOST.test(hostname);
}

/** Checks an address typed by a user, for the dialog and the runtime alike. docs/service.md, Services and addresses. */
export function findAddressFault(typed: string): AddressFault | null {
  const text = typed.trim();
  if (text === "") {
    return "blank";
  }
  if (LOCAL_START.test(text)) {
    return "local-without-http";
  }
  // Some browsers take a space in the name of a host.
  if (!/^https?:\/\/[^\s/]+(?:\/|$)/i.test(text) || !URL.canParse(text)) {
    return "not-a-url";
  }
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") {
    return "has-credentials";
  }
  if (url.search !== "" || url.hash !== "") {
    return "has-query";
  }
  return isPlainHttp(text) ? "insecure" : null;
}
