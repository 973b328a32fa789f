import { type buildConnector, Client, type Dispatcher, Pool } from "undici";
import { AccessTokens, type TokenFault } from "./access-tokens";
import { Attempt, type Attempted } from "./attempt";
import { Authenticator, type Credentials } from "./authenticator";
import { connectorFor } from "../http/connector";
import type { RequestFields } from "../codec/encode-request";
import { beginExchange, type Exchange, type ExchangeLimits, exchange } from "../http/exchange";
import { OPERATIONS, type Operation, type OperationId, type Scope } from "../contract/operations";
import { checkPaths, type PreparedRequest, prepareRequest } from "../codec/prepare-request";
import { chooseProxy } from "../http/proxy-choice";
import { Redactor } from "../codec/redactor";
import { parseServiceAddress, type ServiceAddress } from "../http/service-address";
import type { GatewaySettings } from "../contract/settings";
import { CancelSignal, type CancelSignals } from "../http/cancel-signal";
import type { Timing } from "../http/timing";
import type { Transfer } from "../http/body/transfer";
import { judge, type Verdict } from "../codec/verdict";

/** Bytes of the largest answer that is read. The file of a download has the limit of its transfer instead. */
const LARGEST_ANSWER = 256 * 1024;
const TOKEN_CONNECTIONS = 2;
/** ms to wait for a connection: longer than the connector takes to fail, proxy included. */
const readyTimeout = (connectTimeout: number): number => 2 * connectTimeout + 1_000;

/** Answers are read as they come: the client does not decompress. */
const UNCOMPRESSED = { "accept-encoding": "identity" } as const;

/** The client of the service: every operation from checked fields to a verdict, without queue or retries. docs/service.md, Operations, Answers. */
export class GatewayClient {
  readonly redactor = new Redactor();
  readonly #mask = (text: string): string => this.redactor.clean(text);
  readonly service: ServiceAddress;
  readonly tokenService: ServiceAddress;
  readonly #connector: buildConnector.connector;
  /** By the number of the worker. */
  readonly #connections: Client[] = [];
  readonly #tokenPool: Pool;
  readonly authenticator: Authenticator;
  readonly #tokens: AccessTokens;
  readonly #closing = new CancelSignal();
  readonly #limits: ExchangeLimits;

  /** @throws SetupError BAD_ADDRESS, INSECURE_ADDRESS, BAD_PATH, BAD_CREDENTIALS, BAD_PROXY */
  constructor(
    private readonly settings: GatewaySettings,
    private readonly timing: Timing,
  ) {
    this.service = parseServiceAddress("service", settings.serviceAddress);
    this.tokenService = parseServiceAddress(
      "token",
      settings.tokenAddress.trim() === "" ? settings.serviceAddress : settings.tokenAddress,
    );
    checkPaths(settings);
    const { answerTimeout, connectTimeout } = settings;
    this.#limits = { answerTimeout, readyTimeout: readyTimeout(connectTimeout), maxBody: LARGEST_ANSWER };
    this.#tokens = new AccessTokens((scope) => this.#fetchToken(scope), this.redactor, timing);
    this.authenticator = new Authenticator(settings, this.#tokens);
    this.#maskSecrets();
    this.#connector = this.#connectorTo(this.service);
    // One request at a time on a connection: the HTTP client repeats pipelined requests.
    this.#tokenPool = new Pool(this.tokenService.origin, {
      connections: TOKEN_CONNECTIONS,
      pipelining: 1,
      connect: this.#connectorTo(this.tokenService),
    });
  }

  #maskSecrets(): void {
    const { legacy, oauth } = this.settings;
    if (legacy?.method === "basic") {
      this.#maskPair(legacy.username, legacy.password);
    } else if (legacy !== null) {
      this.redactor.add(legacy.accessToken);
    }
    if (oauth !== null) {
      this.#maskPair(oauth.clientId, oauth.clientSecret);
    }
  }

  /** Masks a secret alone, and the pair that HTTP Basic makes of it. A name alone is not a secret. */
  #maskPair(name: string, secret: string): void {
    this.redactor.add(secret);
    this.redactor.add(`${name}:${secret}`);
  }

  #connectorTo(address: ServiceAddress): buildConnector.connector {
    const { connectTimeout, proxy } = this.settings;
    const tls = this.settings.tls ?? {};
    const route = chooseProxy(new URL(address.origin), address.loopback, proxy, process.env);
    if (route !== null && route.password !== "") {
      this.#maskPair(route.username, route.password);
    }
    return connectorFor(route, tls, connectTimeout, this.#closing);
  }

  /** Checks and encodes one request. @throws SetupError NO_CREDENTIALS @throws FieldError naming field, limit and value */
  prepare(id: OperationId, fields: RequestFields): PreparedRequest {
    const operation = OPERATIONS[id];
    this.authenticator.require(operation);
    return prepareRequest(operation, fields, this.settings);
  }

  /** Gets a token for this scope. @returns null when there is one, else the fault. @throws SetupError NO_CREDENTIALS (as a rejection) */
  async tokenFault(scope: Scope): Promise<TokenFault | null> {
    const result = await this.#tokens.get(scope);
    return result.fault === undefined ? null : result;
  }

  forgetTokenRefusals(): void {
    this.#tokens.forgetRefusals();
  }

  /** Sends a prepared request once, or twice after a refused bearer token, by the connection of this worker. `waiter` gets the verdict. */
  begin(
    request: PreparedRequest,
    signals: CancelSignals,
    transfer: Transfer,
    waiter: Attempted,
    worker: number,
  ): void {
    new Attempt(this, request, signals, this.#cleaned(transfer), waiter, this.#connection(worker)).begin();
  }

  /**
   * The connection of a worker, opened on first use. A connection that gets the next request while it reads an answer
   * sends it in the same turn of the event loop; a pool sends it one turn later.
   */
  #connection(worker: number): Dispatcher {
    this.#connections[worker] ??= new Client(this.service.origin, {
      pipelining: 1,
      connect: this.#connector,
    });
    return this.#connections[worker];
  }

  judge(operation: Operation, result: Exchange): Verdict {
    return judge(operation, result, this.settings.refusedAt503, this.timing.now(), this.#mask);
  }

  /** Masks secrets in the headers of which a sink makes the file's name. */
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

  send(attempt: Attempt, credentials: Credentials): void {
    const { request, signals, transfer, connection } = attempt;
    const query =
      request.query === "" || credentials.query === ""
        ? request.query + credentials.query
        : `${request.query}&${credentials.query}`;
    const path = `${this.service.basePath}${request.path}${query === "" ? "" : `?${query}`}`;
    const { origin } = this.service;
    const { method } = request.operation;
    const headers = { ...request.headers, ...UNCOMPRESSED, ...credentials.headers };
    const { body } = request;
    const sent = { origin, method, path, headers, body };
    beginExchange(connection, sent, this.#limits, signals, transfer, attempt);
  }

  async #fetchToken(scope: Scope): Promise<Exchange> {
    const operation = OPERATIONS.token;
    const fields = { grant_type: "client_credentials", scope };
    const { path, headers, body } = prepareRequest(operation, fields, this.settings);
    const credentials = (await this.authenticator.credentialsFor(operation, this.#closing)) as Credentials;
    return exchange(
      this.#tokenPool,
      {
        origin: this.tokenService.origin,
        method: operation.method,
        path: `${this.tokenService.basePath}${path}`,
        headers: { ...headers, ...UNCOMPRESSED, ...credentials.headers },
        body,
      },
      this.#limits,
      // Many messages share a token, so its request does not end with the node of one of them.
      { stopNew: this.#closing, abort: this.#closing },
    );
  }

  /** Closes every connection at once. Requests still in flight end as `unknown`. */
  async destroy(): Promise<void> {
    this.#closing.stop();
    // A worker may have sent before one with a lower number: the list has holes.
    const all = [this.#tokenPool, ...Object.values(this.#connections)];
    await Promise.all(all.map((each) => each.destroy()));
  }
}
