export type AddressFault =
  | "blank"
  | "not-a-url"
  | "local-without-http"
  | "has-credentials"
  | "has-query"
  | "insecure";

const LOOPBACK = String.raw`localhost|127(\.\d{1,3}){3}|\[::1\]`;

/** Only these hosts accept plain http. Name servers can map `x.localhost` to any computer. */
export const LOOPBACK_HOST = new RegExp(`^(${LOOPBACK})$`, "i");

/** A local address without its scheme, such as `localhost:8080`. */
const LOCAL_START = new RegExp(`^(${LOOPBACK})(:|/|$)`, "i");

/** True if http leaves this computer. */
export function isPlainHttp(address: string): boolean {
  if (!URL.canParse(address)) {
    return false;
  }
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !LOOPBACK_HOST.test(hostname);
}

export function findAddressFault(typed: string): AddressFault | null {
  const text = typed.trim();
  if (text === "") {
    return "blank";
  }
  if (LOCAL_START.test(text)) {
    return "local-without-http";
  }
  // Some browsers accept a space in a host name.
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
