import { isIP, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { type CheckResult, checkResult } from "./check-result";
import { connectorFor } from "../http/connector";
import { faultBefore, type NodeError } from "../http/exchange-fault";
import { chooseProxy, type ProxyRoute } from "../http/proxy-choice";
import type { Redactor } from "../codec/redactor";
import { bareHost, type ServiceAddress } from "../http/service-address";
import type { GatewaySettings, TlsOptions } from "../contract/settings";
import type { CancelSignal } from "../http/cancel-signal";

interface MadeConnection {
  readonly remote: string;
  readonly certificate: {
    readonly issuer: string;
    readonly until: string;
    readonly verified: boolean;
  } | null;
}

const TLS_FAULTS: readonly [code: RegExp, fault: string][] = [
  [/^CERT_HAS_EXPIRED$/, "CERT_EXPIRED"],
  [/^CERT_NOT_YET_VALID$/, "CERT_NOT_YET_VALID"],
  [/^HOSTNAME_MISMATCH$/, "CERT_OTHER_HOST"],
  [/SELF_SIGNED|^UNABLE_TO_|^CERT_UNTRUSTED$|^INVALID_CA$/, "CERT_UNKNOWN_AUTHORITY"],
  [/ALERT|CERTIFICATE_REQUIRED/, "REFUSED_BY_SERVER"],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)|^EPROTO$/, "NO_TLS"],
  [/^ERR_OSSL_/, "BAD_MATERIAL"],
];

const tlsFault = (code: string): string =>
  TLS_FAULTS.find(([pattern]) => pattern.test(code))?.[1] ?? "TLS_FAILED";

function describe(socket: Socket): MadeConnection {
  const remote = socket.remoteAddress ?? "";
  const secure = socket as TLSSocket;
  if (typeof secure.getPeerCertificate !== "function") {
    return { remote, certificate: null };
  }
  const { issuer, valid_to: until } = secure.getPeerCertificate();
  const name = issuer?.O ?? issuer?.CN ?? "";
  return { remote, certificate: { issuer: String(name), until: until ?? "", verified: secure.authorized } };
}

function connectOnce(
  { host, hostname, port, protocol }: URL,
  route: ProxyRoute | null,
  tls: TlsOptions,
  timeout: number,
  stop: CancelSignal,
): Promise<MadeConnection> {
  return new Promise((resolve, reject) => {
    const connect = connectorFor(route, tls, timeout, stop);
    // Unusable TLS material is thrown.
    connect({ host, hostname: bareHost(hostname), port, protocol }, (...[fault, socket]) => {
      if (fault !== null) {
        reject(fault);
        return;
      }
      const made = describe(socket);
      socket.on("error", () => {});
      socket.destroy();
      resolve(made);
    });
  });
}

/** In order: if a step failed, all earlier steps succeeded. */
type Step = "proxy" | "name" | "connect" | "tls";

function failedStep(fault: NodeError, proxied: boolean): { step: Step; code: string } {
  const name = faultBefore(fault);
  switch (name) {
    case "PROXY_FAILED":
    case "PROXY_DENIED":
      return { step: "proxy", code: name };
    case "TLS_FAILED":
      return { step: "tls", code: tlsFault(fault.code ?? "") };
    case "NAME_LOOKUP_FAILED":
      return { step: "name", code: name };
    default:
      // Inside a tunnel only TLS can fail or time out.
      return { step: proxied ? "tls" : "connect", code: proxied ? "TLS_FAILED" : name };
  }
}

function tlsResult(made: MadeConnection, host: string, redactor: Redactor): CheckResult {
  if (made.certificate === null) {
    return checkResult("tls", "skipped", "PLAIN", host);
  }
  const { issuer, until, verified } = made.certificate;
  const detail = [redactor.clean(issuer), until].filter((part) => part !== "").join(", ");
  return verified
    ? checkResult("tls", "ok", "OK", host, detail)
    : checkResult("tls", "warning", "UNVERIFIED", host, detail);
}

/** @throws SetupError BAD_PROXY */
export async function checkConnectivity(
  address: ServiceAddress,
  { tls, proxy, connectTimeout }: Pick<GatewaySettings, "tls" | "proxy" | "connectTimeout">,
  redactor: Redactor,
  stop: CancelSignal,
): Promise<readonly CheckResult[]> {
  const url = new URL(address.origin);
  const route = chooseProxy(url, address.loopback, proxy, process.env);
  const made = await connectOnce(url, route, tls ?? {}, connectTimeout, stop).catch(
    (fault: NodeError) => fault,
  );
  const failed = made instanceof Error ? failedStep(made, route !== null) : null;
  const isName = isIP(bareHost(url.hostname)) === 0;
  const taken: readonly Step[] = route !== null ? ["proxy"] : isName ? ["name", "connect"] : ["connect"];
  const results: CheckResult[] = [];
  for (const step of [...taken, "tls" as const]) {
    const about = step === "proxy" && route !== null ? route.url.origin : address.host;
    if (made instanceof Error && failed?.step === step) {
      return [...results, checkResult(step, "failed", failed.code, about, redactor.clean(faultText(made)))];
    }
    const remote = made instanceof Error ? "" : made.remote;
    if (step !== "tls") {
      results.push(checkResult(step, "ok", "OK", about, step === "name" ? remote : ""));
    } else if (!(made instanceof Error)) {
      results.push(tlsResult(made, about, redactor));
    }
  }
  return results;
}

/** Returns the message for codes of this package, otherwise the code. */
const faultText = ({ code = "", message }: NodeError): string =>
  code === "" || code.startsWith("PROXY_") || code === "CONNECT_FAILED" ? message : code;
