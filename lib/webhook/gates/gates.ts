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
  /** Addresses and CIDR blocks. Blank: any address. */
  readonly allowed: string;
  readonly proxyHops: number;
  /** Bytes. */
  readonly sizeLimit: number;
  /** Ms for the whole body. */
  readonly bodyTimeout: number;
}

export interface Passed {
  readonly ok: true;
  readonly raw: Buffer;
  readonly value: unknown;
  readonly unparsed: Unparsed | null;
  readonly req: RedactedRequest;
}

export interface Refused {
  readonly ok: false;
  readonly reason: RefusalReason;
}

const refused = (reason: RefusalReason): Refused => ({ ok: false, reason });

/** The cheapest checks come first, and no body is read before authentication. */
export class Gates {
  /** Null if HTTP has none for the kind. */
  readonly challenge: string | null;
  readonly #authenticate: Authenticate;
  readonly #allowed: AddressList;
  readonly #hops: number;
  readonly #limits: BodyLimits;
  readonly #redact: ReturnType<typeof requestRedactor>;

  /** @throws SetupError BAD_SETTING */
  constructor({ auth, allowed, proxyHops, sizeLimit, bodyTimeout }: GateSettings) {
    this.#authenticate = authenticator(auth);
    this.#allowed = new AddressList(allowed);
    this.#hops = proxyHops;
    this.#limits = { size: sizeLimit, time: bodyTimeout };
    this.#redact = requestRedactor(auth);
    this.challenge = auth.method === "basic" ? 'Basic realm="webhook", charset="UTF-8"' : null;
  }

  /** Never rejects, and may leave a body unread. @param trusted skips credentials and address */
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
