import type { IncomingMessage } from "node:http";
import { AddressList } from "./address-list";
import { type Authenticate, authenticator, type WebhookAuth } from "./authenticate";
import { type ClientAddress, clientAddress } from "./client-address";
import { checkContentType } from "./content-type";
import { parseJson, type Unparsed } from "./parse-json";
import { type BodyLimits, readBody } from "./read-body";
import type { RefusalReason } from "./refusals";
import { type RedactedRequest, requestRedactor } from "./redacted-request";

export interface GateSettings {
  readonly auth: WebhookAuth;
  /** Allowed addresses and CIDR blocks as typed; empty: every address. */
  readonly allowed: string;
  /** Trusted proxies in front of this server. */
  readonly proxyHops: number;
  /** Bytes of a body. */
  readonly sizeLimit: number;
  /** ms for all of a body. */
  readonly bodyTimeout: number;
}

/** A request that passed all gates. */
export interface Passed {
  readonly ok: true;
  /** The body as received; if another handler has parsed it, its value as JSON. */
  readonly raw: Buffer;
  /** Any JSON value, not yet known to be an event; the text of the body where the value would be dangerous. */
  readonly value: unknown;
  /** Why the body stays a text; null where it does not. */
  readonly unparsed: Unparsed | null;
  readonly req: RedactedRequest;
}

export interface Refused {
  readonly ok: false;
  readonly reason: RefusalReason;
}

const refused = (reason: RefusalReason): Refused => ({ ok: false, reason });

/** The checks of a request. The cheapest come first, and no byte of a body is read before its sender is authenticated. */
export class Gates {
  /** Value of WWW-Authenticate for callers without credentials; null where HTTP has none for the kind. */
  readonly challenge: string | null;
  readonly #authenticate: Authenticate;
  readonly #allowed: AddressList;
  readonly #hops: number;
  readonly #limits: BodyLimits;
  readonly #redact: ReturnType<typeof requestRedactor>;

  /** @throws SetupError BAD_SETTING with a sentence that names what is wrong */
  constructor({ auth, allowed, proxyHops, sizeLimit, bodyTimeout }: GateSettings) {
    this.#authenticate = authenticator(auth);
    this.#allowed = new AddressList(allowed);
    this.#hops = proxyHops;
    this.#limits = { size: sizeLimit, time: bodyTimeout };
    this.#redact = requestRedactor(auth);
    this.challenge = auth.method === "basic" ? 'Basic realm="webhook", charset="UTF-8"' : null;
  }

  /** Never rejects, answers nothing, and may leave a body unread. @param trusted skips the checks of credentials and address */
  pass(req: IncomingMessage, trusted = false): Promise<Passed | Refused> {
    const client = clientAddress(req, this.#hops);
    const reason = this.#checkHead(req, client, trusted);
    if (reason !== null) {
      return Promise.resolve(refused(reason));
    }
    return new Promise((resolve) => {
      readBody(req, this.#limits, (body) =>
        resolve(typeof body === "string" ? refused(body) : this.#checkBody(req, client, body)),
      );
    });
  }

  #checkHead(req: IncomingMessage, client: ClientAddress, trusted: boolean): RefusalReason | null {
    if (Number(req.headers["content-length"]) > this.#limits.size) {
      return "too-large";
    }
    return (
      (trusted ? null : (this.#authenticate(req) ?? this.#checkAddress(client))) ?? checkContentType(req)
    );
  }

  #checkAddress({ ip, isCertain }: ClientAddress): RefusalReason | null {
    if (this.#allowed.isEmpty) {
      return null;
    }
    if (!isCertain) {
      return "address-unknown";
    }
    return this.#allowed.allows(ip) ? null : "address-not-allowed";
  }

  #checkBody(req: IncomingMessage, { ip }: ClientAddress, raw: Buffer): Passed | Refused {
    const parsed = parseJson(raw);
    if (!parsed.ok) {
      return parsed;
    }
    const { value, unparsed } = parsed;
    return { ok: true, raw, value, unparsed, req: this.#redact(req, ip) };
  }
}
