import { SetupError } from "../shared/messaging-error";

/** A checked address: `origin` as undici wants it, `basePath` without a slash at its end. */
export interface ServiceAddress {
  readonly origin: string;
  readonly basePath: string;
  readonly host: string;
  readonly loopback: boolean;
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Reads an address typed by a user. Only https is taken; plain http only towards this computer itself.
 * Contract: "Transport: HTTPS only".
 * @throws SetupError BAD_ADDRESS or INSECURE_ADDRESS; the text never repeats credentials of a URL
 */
export function parseServiceAddress(label: string, typed: string): ServiceAddress {
  const text = typed.trim();
  if (text === "") {
    throw new SetupError(
      "BAD_ADDRESS",
      `The ${label} is empty. Type it into the account, for example https://api.example.com.`,
    );
  }
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new SetupError(
      "BAD_ADDRESS",
      `The ${label} is not a complete URL. It starts with https://, for example https://api.example.com.`,
    );
  }
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") {
    throw new SetupError(
      "BAD_ADDRESS",
      `The ${label} holds a user name or password. Type those into the credential fields of the account instead.`,
    );
  }
  if (url.search !== "" || url.hash !== "") {
    throw new SetupError("BAD_ADDRESS", `The ${label} must end before any '?' or '#'.`);
  }
  const loopback = LOOPBACK.test(url.hostname);
  if (url.protocol === "http:" && !loopback) {
    throw new SetupError(
      "INSECURE_ADDRESS",
      `The ${label} starts with http://, which would show messages and credentials to everybody on the way. Use https://; plain http is only for this computer itself (127.0.0.1, localhost).`,
    );
  }
  return {
    origin: url.origin,
    basePath: url.pathname.replace(/\/+$/, ""),
    host: url.host,
    loopback,
  };
}
