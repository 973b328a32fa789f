import { type buildConnector, Client, type Dispatcher, Pool } from "undici";
import { AccessTokens, type TokenFault } from "./access-tokens";
import { Attempt, type Attempted } from "./attempt";
import { Authenticator, type Credentials } from "./authenticator";
import { connectorFor } from "../http/connector";
import type { RequestFields } from "../codec/encode-request";
import { startExchange, type Exchange, type ExchangeLimits, exchange } from "../http/exchange";
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

const MAX_RESPONSE = 256 * 1024;
const TOKEN_CONNECTIONS = 2;
/** Ms, longer than the connector and its proxy take to fail. */
const readyTimeout = (connectTimeout: number): number => 2 * connectTimeout + 1_000;

/** The client does not decompress responses. */
const UNCOMPRESSED = { "accept-encoding": "identity" } as const;

/** The client of the service, from checked fields to a verdict, without queue or retries. */
export class GatewayClient {
  readonly redactor = new Redactor();
  readonly #mask = (text: string): string => this.redactor.clean(text);
  readonly service: ServiceAddress;
  readonly tokenService: ServiceAddress;
  readonly #connector: buildConnector.connector;
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
    this.#limits = { answerTimeout, readyTimeout: readyTimeout(connectTimeout), maxBody: MAX_RESPONSE };
    this.#tokens = new AccessTokens((scope) => this.#fetchToken(scope), this.redactor, timing);
    this.authenticator = new Authenticator(settings, this.#tokens);
    this.#maskSecrets();
    this.#connector = this.#connectorTo(this.service);
    // The HTTP client repeats pipelined requests, so a connection carries one at a time.
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

  /** Masks a secret and the pair that HTTP Basic makes of it, but not the name alone. */
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

  /** @throws SetupError NO_CREDENTIALS @throws FieldError with field, limit and value */
  prepare(id: OperationId, fields: RequestFields): PreparedRequest {
    const operation = OPERATIONS[id];
    this.authenticator.require(operation);
    return prepareRequest(operation, fields, this.settings);
  }

  /** Rejects with SetupError NO_CREDENTIALS. */
  async tokenFault(scope: Scope): Promise<TokenFault | null> {
    const result = await this.#tokens.get(scope);
    return result.fault === undefined ? null : result;
  }

  deleteTokenRefusals(): void {
    this.#tokens.deleteRefusals();
  }

  start(
    request: PreparedRequest,
    signals: CancelSignals,
    transfer: Transfer,
    waiter: Attempted,
    worker: number,
  ): void {
    new Attempt(this, request, signals, this.#cleaned(transfer), waiter, this.#connection(worker)).start();
  }

  /** Opens the connection of a worker, because a pool sends the next request one tick later. */
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
    startExchange(connection, sent, this.#limits, signals, transfer, attempt);
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
      // Many messages share a token, so its request does not end with the node of one message.
      { stopNew: this.#closing, abort: this.#closing },
    );
  }

  async destroy(): Promise<void> {
    this.#closing.stop();
    // Workers start in any order, so the list has holes.
    const all = [this.#tokenPool, ...Object.values(this.#connections)];
    await Promise.all(all.map((each) => each.destroy()));
  }
}
