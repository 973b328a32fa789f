import { Pool } from "undici";
import { AccessTokens } from "./access-tokens";
import { Authoriser, type NoProof, type Proof } from "./authoriser";
import { connectorFor } from "./connector";
import { encodeFields, type RequestFields } from "./encode-request";
import { type Exchange, exchange, type HttpRequest } from "./exchange";
import { OPERATIONS, type OperationId, type Scope } from "./operations";
import { checkPaths, type PreparedRequest, prepareRequest } from "./prepare-request";
import { chooseProxy } from "./proxy-choice";
import { Redactor } from "./redactor";
import { parseServiceAddress, type ServiceAddress } from "./service-address";
import type { GatewaySettings } from "./settings";
import { StopGate, type StopGates } from "./stop-gate";
import type { Timing } from "./timing";
import type { Transfer } from "./transfer";
import { cleanVerdict, judge, localVerdict, type Verdict } from "./verdict";

/** Bytes read of an answer at most, but for the file of a successful one, whose limit comes with its transfer. */
const LARGEST_ANSWER = 256 * 1024;
const TOKEN_CONNECTIONS = 2;
/** Given up on waiting for a connection only after the connector itself had every chance, through a proxy too. */
const readyTimeout = (connectTimeout: number): number => 2 * connectTimeout + 1_000;

type Headers = Readonly<Record<string, string>>;

/** Not by spread: what is added to such a copy has the engine make a class of its own for each request. */
function combined(...parts: readonly Headers[]): Headers {
  const headers: Record<string, string> = {};
  for (const part of parts) {
    for (const name of Object.keys(part)) {
      headers[name] = part[name] as string;
    }
  }
  return headers;
}

/**
 * The client of the service: one way for every operation from checked fields to a verdict, one request at a
 * time. Knows nothing of queues or retries. Contract: "Endpoints", "Authentication", "Errors".
 */
export class GatewayClient {
  readonly redactor = new Redactor();
  readonly service: ServiceAddress;
  readonly tokenService: ServiceAddress;
  readonly #servicePool: Pool;
  readonly #tokenPool: Pool;
  readonly #authoriser: Authoriser;
  readonly #tokens: AccessTokens;
  readonly #closing = new StopGate();

  /** @throws SetupError BAD_ADDRESS, INSECURE_ADDRESS, BAD_PATH, BAD_CREDENTIALS, BAD_PROXY */
  constructor(
    private readonly settings: GatewaySettings,
    private readonly timing: Timing,
  ) {
    this.service = parseServiceAddress("service address", settings.serviceAddress);
    this.tokenService = parseServiceAddress(
      "token service address",
      settings.tokenAddress.trim() === "" ? settings.serviceAddress : settings.tokenAddress,
    );
    checkPaths(settings);
    this.#tokens = new AccessTokens((scope) => this.#fetchToken(scope), this.redactor, timing);
    this.#authoriser = new Authoriser(settings, this.#tokens);
    this.#maskSecrets();
    this.#servicePool = this.#pool(this.service, settings.connections);
    this.#tokenPool = this.#pool(this.tokenService, TOKEN_CONNECTIONS);
  }

  #maskSecrets(): void {
    const { legacy, oauth } = this.settings;
    if (legacy?.kind === "basic") {
      this.#maskPair(legacy.username, legacy.password);
    } else if (legacy !== null) {
      this.redactor.add(legacy.accessToken);
    }
    if (oauth !== null) {
      this.#maskPair(oauth.clientId, oauth.clientSecret);
    }
  }

  /** A secret alone and in the pair that Basic makes of it; a name alone is no secret. */
  #maskPair(name: string, secret: string): void {
    this.redactor.add(secret);
    this.redactor.add(`${name}:${secret}`);
  }

  #pool(address: ServiceAddress, connections: number): Pool {
    const { connectTimeout, proxy } = this.settings;
    const tls = this.settings.tls ?? {};
    const route = chooseProxy(new URL(address.origin), address.loopback, proxy, process.env);
    if (route !== null && route.password !== "") {
      this.#maskPair(route.username, route.password);
    }
    const connect = connectorFor(route, tls, connectTimeout, this.#closing);
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
    return prepareRequest(operation, fields, this.settings);
  }

  /**
   * Asks for a token as a request with this scope would.
   * @returns null when there is one, else why not; never the token
   * @throws SetupError NO_CREDENTIALS (as a rejection)
   */
  async tokenFault(scope: Scope): Promise<NoProof | null> {
    const result = await this.#tokens.get(scope);
    return result.fault === undefined ? null : result;
  }

  /** Sends a prepared request once, or twice where a bearer token was refused, and says what became of it. */
  async attempt(request: PreparedRequest, gates: StopGates, transfer: Transfer = {}): Promise<Verdict> {
    const { operation } = request;
    let verdict: Verdict | null = null;
    // The second round is the one replay after a 401.
    for (let round = 1; round <= 2; round++) {
      const proving = this.#prove(request, gates.halt);
      const proof = proving instanceof Promise ? await proving : proving;
      if ("fault" in proof) {
        return cleanVerdict(localVerdict(proof.fault, proof.detail, round), this.redactor);
      }
      const result = await this.#send(request, proof, gates, this.#cleaned(transfer));
      const { refusedAt503 } = this.settings;
      const judged = judge(operation, result, refusedAt503, this.timing.now());
      verdict = judged.attempts === round ? judged : { ...judged, attempts: round };
      const refused = verdict.httpStatus === 401 && verdict.outcome === "denied";
      if (!refused || proof.token === null) {
        break;
      }
      this.#tokens.discard(operation.scope as Scope, proof.token);
    }
    return cleanVerdict(verdict as Verdict, this.redactor);
  }

  /** The proof for a request; waits for a token only until halted, for nothing has left by then. */
  #prove({ operation }: PreparedRequest, halt: StopGate): Proof | Promise<Proof | NoProof> {
    const proof = this.#authoriser.prove(operation);
    return proof instanceof Promise
      ? halt.orNull(proof).then((found) => found ?? { fault: "CLOSING", detail: "no token yet" })
      : proof;
  }

  /** A sink makes a file's name of what the service says; no secret that it echoes may come into it. */
  #cleaned(given: Transfer): Transfer {
    if (given.sink === undefined) {
      return given;
    }
    const { sink, ...transfer } = given;
    const clean = (text: string | null): string | null => (text === null ? null : this.redactor.clean(text));
    return {
      ...transfer,
      sink: ({ contentType, contentDisposition }) =>
        sink({ contentType: clean(contentType), contentDisposition: clean(contentDisposition) }),
    };
  }

  #send(request: PreparedRequest, proof: Proof, gates: StopGates, transfer: Transfer): Promise<Exchange> {
    const query =
      request.query === "" || proof.query === ""
        ? request.query + proof.query
        : `${request.query}&${proof.query}`;
    const path = `${this.service.basePath}${request.path}${query === "" ? "" : `?${query}`}`;
    return this.#exchange(
      this.#servicePool,
      {
        origin: this.service.origin,
        method: request.operation.method,
        path,
        headers: combined(request.headers, proof.headers),
        body: request.body,
      },
      gates,
      transfer,
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
        origin: this.tokenService.origin,
        method: operation.method,
        path: `${this.tokenService.basePath}${operation.path}`,
        headers: { accept: "application/json", "content-type": contentType ?? "", ...proof.headers },
        body,
      },
      // A token serves many messages, so it does not end with one of them.
      { halt: this.#closing, kill: this.#closing },
    );
  }

  #exchange(pool: Pool, request: HttpRequest, gates: StopGates, transfer: Transfer = {}): Promise<Exchange> {
    const { answerTimeout, connectTimeout } = this.settings;
    const limits = { answerTimeout, readyTimeout: readyTimeout(connectTimeout), maxBody: LARGEST_ANSWER };
    return exchange(pool, request, limits, gates, transfer);
  }

  /** Ends everything at once; requests under way are `unknown` by then, or their waiters have been told. */
  async destroy(): Promise<void> {
    this.#closing.stop();
    await Promise.all([this.#servicePool.destroy(), this.#tokenPool.destroy()]);
  }
}
