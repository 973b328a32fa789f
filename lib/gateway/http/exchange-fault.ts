import { say } from "../../texts/say";
import type { LocalFault } from "../contract/local-outcomes";

/** An error of Node.js, of the HTTP client or of a connector. */
export type NodeError = Error & { code?: string };

const TLS_CODES =
  /^(ERR_(TLS|SSL|OSSL)|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH|ERROR_IN_C|EPROTO$)/;

/** The fault of an error before the request was handed to a connection: nothing was sent. */
export function faultBefore({ code = "" }: NodeError): LocalFault {
  if (code === "ENOTFOUND" || code.startsWith("EAI_")) {
    return "NAME_LOOKUP_FAILED";
  }
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT") {
    return "CONNECT_TIMEOUT";
  }
  if (code === "PROXY_FAILED" || code === "PROXY_DENIED") {
    return code;
  }
  return TLS_CODES.test(code) ? "TLS_FAILED" : "CONNECT_FAILED";
}

/** Errors of undici's parser have no code. */
const PARSER_ERROR = "HTTPParserError";
const EARLY_END = /\bEOF\b/;

/** The fault of an error after the request was handed to a connection: what the service did is unknown. */
export function faultAfter({ name, code, message }: NodeError): LocalFault {
  // At an early end (EOF) what came was valid but not complete.
  const unreadable = name === PARSER_ERROR && !EARLY_END.test(message);
  return unreadable || code === "UND_ERR_HEADERS_OVERFLOW" ? "ANSWER_UNREADABLE" : "CONNECTION_LOST";
}

/** The detail of an error: its code, and for proxy errors and errors without a code its message. */
export function detailOf({ name, code = "", message }: NodeError): string {
  if (name === PARSER_ERROR) {
    return say(EARLY_END.test(message) ? "service.early-end" : "service.not-http");
  }
  return code === "" || code.startsWith("PROXY_") ? message : code;
}
