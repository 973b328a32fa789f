import { say } from "../../texts/say";
import type { LocalFault } from "../contract/local-outcomes";

export type NodeError = Error & { code?: string };

const TLS_CODES =
  /^(ERR_(TLS|SSL|OSSL)|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH|ERROR_IN_C|EPROTO$)/;

/** Before a request has a connection, nothing was sent. */
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

/** Once a request has a connection, its effect at the service is unknown. */
export function faultAfter({ name, code, message }: NodeError): LocalFault {
  // An early end (EOF) cuts a valid response off.
  const unreadable = name === PARSER_ERROR && !EARLY_END.test(message);
  return unreadable || code === "UND_ERR_HEADERS_OVERFLOW" ? "ANSWER_UNREADABLE" : "CONNECTION_LOST";
}

export function getDetail({ name, code = "", message }: NodeError): string {
  if (name === PARSER_ERROR) {
    return say(EARLY_END.test(message) ? "service.early-end" : "service.not-http");
  }
  return code === "" || code.startsWith("PROXY_") ? message : code;
}
