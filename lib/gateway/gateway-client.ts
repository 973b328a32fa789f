import { Pool } from "undici";
import { FieldError } from "../shared/messaging-error";
import { AccessTokens } from "./access-tokens";
import { Authoriser, type Proof } from "./authoriser";
import { directConnector, proxyConnector } from "./connector";
import { encodeFields, fillPath, type RequestFields } from "./encode-request";
import { type Exchange, exchange, type HttpRequest } from "./exchange";
import { OPERATIONS, type Operation, type OperationId, type Scope } from "./operations";
import { chooseProxy } from "./proxy-choice";
import { Redactor } from "./redactor";
import { parseServiceAddress, type ServiceAddress } from "./service-address";
import type { GatewaySettings } from "./settings";
import { StopGate } from "./stop-gate";
import type { Timing } from "./timing";
import { judge, localVerdict, type Verdict } from "./verdict";

/** A request that passed every check and waits to be sent; holds no credentials. */
export interface PreparedRequest {
  readonly operation: Operation;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

/** Bytes read of an answer at most: a file may be large, anything else is short. */
const LARGEST_FILE = 100 * 1024 * 1024;
const LARGEST_ANSWER = 256 * 1024;
const TOKEN_CONNECTIONS = 2;
/** Given up on waiting for a connection only after the connector itself had every chance, through a proxy too. */
const readyTimeout = (connectTimeout: number): number => 2 * connectTimeout + 1_000;

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string;
  readonly keys?: readonly string[];
}

/** `content[3].title` from a path of keys and indexes. */
function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((key, at) => (typeof key === "number" ? `[${key}]` : `${at > 0 ? "." : ""}${String(key)}`))
    .join("");
}

function fieldError(issues: readonly Issue[]): FieldError {
  const said = issues.map(({ path, message, code, keys }) =>
    code === "unrecognized_keys"
      ? { field: fieldPath([...path, keys?.[0] ?? ""]), problem: "is not a field of this operation" }
      : { field: fieldPath(path), problem: message },
  );
  const [first = { field: "message", problem: "is not valid" }, ...others] = said;
  const rest = others.map(({ field, problem }) => `; ${field} ${problem}`).join("");
  return new FieldError("FIELD_INVALID", first.field, `${first.problem}${rest}`);
}

/**
 * The client of the service: one way for every operation from checked fields to a verdict, one request at a
 * time. Knows nothing of queues or retries. Contract: "Endpoints", "Authentication", "Errors".
 */
export class GatewayClient {
  readonly redactor = new Redactor();
  readonly service: ServiceAddress;
  readonly #token: ServiceAddress;
  readonly #servicePool: Pool;
  readonly #tokenPool: Pool;
  readonly #authoriser: Authoriser;
  readonly #tokens: AccessTokens;
  readonly #closing = new StopGate();

  /** @throws SetupError BAD_ADDRESS, INSECURE_ADDRESS, BAD_PROXY */
  constructor(
    private readonly settings: GatewaySettings,
    private readonly timing: Timing,
  ) {
    this.service = parseServiceAddress("service address", settings.serviceAddress);
    this.#token = parseServiceAddress(
      "token service address",
      settings.tokenAddress.trim() === "" ? settings.serviceAddress : settings.tokenAddress,
    );
    this.#tokens = new AccessTokens((scope) => this.#fetchToken(scope), this.redactor, timing);
    this.#authoriser = new Authoriser(settings, this.#tokens);
    this.#maskSecrets();
    this.#servicePool = this.#pool(this.service, settings.connections);
    this.#tokenPool = this.#pool(this.#token, TOKEN_CONNECTIONS);
  }

  /** Secrets alone and in the pairs that Basic makes of them; names alone are no secrets. */
  #maskSecrets(): void {
    const { legacy, oauth, proxy } = this.settings;
    const pairs: [name: string, secret: string][] = [];
    if (legacy?.kind === "basic") {
      pairs.push([legacy.username, legacy.password]);
    } else if (legacy !== null) {
      this.redactor.add(legacy.accessToken);
    }
    if (oauth !== null) {
      pairs.push([oauth.clientId, oauth.clientSecret]);
    }
    if (proxy?.password) {
      pairs.push([proxy.username ?? "", proxy.password]);
    }
    for (const [name, secret] of pairs) {
      this.redactor.add(secret);
      this.redactor.add(`${name}:${secret}`);
    }
  }

  #pool(address: ServiceAddress, connections: number): Pool {
    const { tls, connectTimeout, proxy } = this.settings;
    const route = chooseProxy(new URL(address.origin), address.loopback, proxy, process.env);
    const connect =
      route === null
        ? directConnector(tls ?? {}, connectTimeout)
        : proxyConnector(route, tls ?? {}, connectTimeout);
    // One request at a time on a connection: a pipelined one would be repeated by the HTTP client.
    return new Pool(address.origin, { connections, pipelining: 1, connect });
  }

  /**
   * Checks and encodes one request.
   * @throws SetupError NO_CREDENTIALS
   * @throws FieldError naming field, limit and value
   */
  prepare(id: OperationId, fields: RequestFields): PreparedRequest {
    const operation = OPERATIONS[id];
    this.#authoriser.require(operation);
    const checked = operation.request.safeParse(fields);
    if (!checked.success) {
      throw fieldError(checked.error.issues as readonly Issue[]);
    }
    const { path, rest } = fillPath(this.#path(operation), checked.data as RequestFields);
    const { query, contentType, body } = encodeFields(operation.encoding, rest);
    const accept = operation.answer === "bytes" ? "*/*" : "application/json";
    return {
      operation,
      path,
      query,
      body,
      headers: {
        ...(operation.answer !== "legacy-form" && { accept }),
        ...(contentType !== null && { "content-type": contentType }),
      },
    };
  }

  #path(operation: Operation): string {
    const chosen = this.settings.paths[operation.id]?.trim();
    if (operation.pathAssumed && chosen) {
      return chosen.startsWith("/") ? chosen : `/${chosen}`;
    }
    return operation.restPrefixOptional && this.settings.restPrefix
      ? `/rest${operation.path}`
      : operation.path;
  }

  /** Sends a prepared request once, or twice where a bearer token was refused, and says what became of it. */
  async attempt(request: PreparedRequest, gate: StopGate): Promise<Verdict> {
    const { operation } = request;
    let verdict: Verdict | null = null;
    // The second round is the one replay after a 401.
    for (let round = 1; round <= 2; round++) {
      const proof = await this.#authoriser.prove(operation);
      if ("fault" in proof) {
        return verdict ?? this.#clean(localVerdict(proof.fault, proof.detail, round));
      }
      const result = await this.#send(request, proof, gate);
      verdict = this.#clean({
        ...judge(operation, result, this.settings.refusedAt503, this.timing.now()),
        attempts: round,
      });
      const refused = verdict.httpStatus === 401 && verdict.outcome === "denied";
      if (!refused || proof.token === null) {
        break;
      }
      this.#tokens.discard(operation.scope as Scope, proof.token);
    }
    return verdict as Verdict;
  }

  /** A text of ours or of the service's, with every secret masked. */
  #clean(verdict: Verdict): Verdict {
    const { redactor } = this;
    const clean = (text: string | null): string | null => (text === null ? null : redactor.clean(text));
    return {
      ...verdict,
      statusMessage: redactor.clean(verdict.statusMessage),
      transferId: clean(verdict.transferId),
      clientMessageId: clean(verdict.clientMessageId),
    };
  }

  #send(request: PreparedRequest, proof: Proof, gate: StopGate): Promise<Exchange> {
    const query = [request.query, proof.query].filter((part) => part !== "").join("&");
    const path = `${this.service.basePath}${request.path}${query === "" ? "" : `?${query}`}`;
    return this.#exchange(
      this.#servicePool,
      {
        origin: this.service.origin,
        method: request.operation.method,
        path,
        headers: { ...request.headers, ...proof.headers },
        body: request.body,
      },
      request.operation.answer === "bytes" ? LARGEST_FILE : LARGEST_ANSWER,
      gate,
    );
  }

  async #fetchToken(scope: Scope): Promise<Exchange> {
    const operation = OPERATIONS.token;
    const proof = (await this.#authoriser.prove(operation)) as Proof;
    const { contentType, body } = encodeFields(operation.encoding, {
      grant_type: "client_credentials",
      scope,
    });
    return this.#exchange(
      this.#tokenPool,
      {
        origin: this.#token.origin,
        method: operation.method,
        path: `${this.#token.basePath}${operation.path}`,
        headers: { accept: "application/json", "content-type": contentType ?? "", ...proof.headers },
        body,
      },
      LARGEST_ANSWER,
      // A token serves many messages, so it does not end with one of them.
      this.#closing,
    );
  }

  #exchange(pool: Pool, request: HttpRequest, maxBody: number, gate: StopGate): Promise<Exchange> {
    const { answerTimeout, connectTimeout } = this.settings;
    return exchange(
      pool,
      request,
      { answerTimeout, readyTimeout: readyTimeout(connectTimeout), maxBody },
      gate,
    );
  }

  /** Ends everything at once; requests under way are `unknown` by then, or their waiters have been told. */
  async destroy(): Promise<void> {
    this.#closing.stop();
    await Promise.all([this.#servicePool.destroy(), this.#tokenPool.destroy()]);
  }
}
