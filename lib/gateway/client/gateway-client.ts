import { type buildConnector, Client, type Dispatcher, Pool } from "undici";
import { AccessTokens } from "./access-tokens";
import { Authenticator, type NoCredentials, type Credentials } from "./authenticator";
import { connectorFor } from "../http/connector";
import { encodeFields, type RequestFields } from "../codec/encode-request";
import {
  beginExchange,
  type Exchange,
  type Exchanged,
  type ExchangeLimits,
  exchange,
} from "../http/exchange";
import { OPERATIONS, type Operation, type OperationId, type Scope } from "../contract/operations";
import { checkPaths, type PreparedRequest, prepareRequest } from "../codec/prepare-request";
import { chooseProxy } from "../http/proxy-choice";
import { Redactor } from "../codec/redactor";
import { parseServiceAddress, type ServiceAddress } from "../http/service-address";
import type { GatewaySettings } from "../contract/settings";
import { CancelSignal, type CancelSignals } from "../http/cancel-signal";
import type { Timing } from "../http/timing";
import { isSource } from "../contract/byte-source";
import type { Transfer } from "../http/body/transfer";
import { cleanVerdict, judge, localVerdict, type Verdict } from "../codec/verdict";

/** Bytes read of an answer at most, but for the file of a successful one, whose limit comes with its transfer. */
const LARGEST_ANSWER = 256 * 1024;
const TOKEN_CONNECTIONS = 2;
/** Given up on waiting for a connection only after the connector itself had every chance, through a proxy too. */
const readyTimeout = (connectTimeout: number): number => 2 * connectTimeout + 1_000;

type Headers = Readonly<Record<string, string>>;

/** What became of an attempt, for whoever asked for it. */
export interface Attempted {
  /** Called once, within a call of the HTTP client: it must not throw, nor run code of others. */
  attempted(verdict: Verdict): void;
}

const NO_TRANSFER: Transfer = {};

/** Answers are read as they come: nothing here unpacks them. */
const UNPACKED = { "accept-encoding": "identity" } as const;

/**
 * The client of the service: one way for every operation from checked fields to a verdict, one request at a
 * time. Knows nothing of queues or retries. Contract: "Endpoints", "Authentication", "Errors".
 */
export class GatewayClient {
  readonly redactor = new Redactor();
  readonly service: ServiceAddress;
  readonly tokenService: ServiceAddress;
  readonly #servicePool: Pool;
  readonly #connector: buildConnector.connector;
  /** By the number of the slot. */
  readonly #connections: Client[] = [];
  readonly #tokenPool: Pool;
  readonly #authoriser: Authenticator;
  readonly #tokens: AccessTokens;
  readonly #closing = new CancelSignal();
  readonly #limits: ExchangeLimits;
  readonly #headers = new WeakMap<
    Headers,
    { readonly proof: Credentials; readonly lines: readonly string[] }
  >();

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
    const { answerTimeout, connectTimeout } = settings;
    this.#limits = { answerTimeout, readyTimeout: readyTimeout(connectTimeout), maxBody: LARGEST_ANSWER };
    this.#tokens = new AccessTokens((scope) => this.#fetchToken(scope), this.redactor, timing);
    this.#authoriser = new Authenticator(settings, this.#tokens);
    this.#maskSecrets();
    this.#connector = this.#connectorTo(this.service);
    this.#servicePool = new Pool(this.service.origin, {
      connections: settings.connections,
      pipelining: 1,
      connect: this.#connector,
    });
    // One request at a time on a connection: a pipelined one would be repeated by the HTTP client.
    this.#tokenPool = new Pool(this.tokenService.origin, {
      connections: TOKEN_CONNECTIONS,
      pipelining: 1,
      connect: this.#connectorTo(this.tokenService),
    });
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

  #connectorTo(address: ServiceAddress): buildConnector.connector {
    const { connectTimeout, proxy } = this.settings;
    const tls = this.settings.tls ?? {};
    const route = chooseProxy(new URL(address.origin), address.loopback, proxy, process.env);
    if (route !== null && route.password !== "") {
      this.#maskPair(route.username, route.password);
    }
    return connectorFor(route, tls, connectTimeout, this.#closing);
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
  async tokenFault(scope: Scope): Promise<NoCredentials | null> {
    const result = await this.#tokens.get(scope);
    return result.fault === undefined ? null : result;
  }

  /** Sends a prepared request once, or twice where a bearer token was refused, and says what became of it. */
  attempt(
    request: PreparedRequest,
    gates: CancelSignals,
    transfer: Transfer = NO_TRANSFER,
  ): Promise<Verdict> {
    return new Promise((resolve) => {
      this.begin(request, gates, transfer, { attempted: resolve });
    });
  }

  /** The same for somebody who waits without a promise. */
  begin(
    request: PreparedRequest,
    gates: CancelSignals,
    transfer: Transfer,
    waiter: Attempted,
    slot: number | null = null,
  ): void {
    const way = slot === null ? this.#servicePool : this.#connection(slot);
    new Attempt(this, request, gates, this.#cleaned(transfer), waiter, way).begin();
  }

  /**
   * The connection of a slot, opened when it is needed. A request that is handed to a connection while it reads an
   * answer follows in the same turn of the event loop; a pool would hand it on a turn later.
   */
  #connection(slot: number): Dispatcher {
    this.#connections[slot] ??= new Client(this.service.origin, { pipelining: 1, connect: this.#connector });
    return this.#connections[slot];
  }

  /** @throws SetupError NO_CREDENTIALS */
  prove(operation: Operation, stopNew: CancelSignal): Credentials | Promise<Credentials | NoCredentials> {
    const proof = this.#authoriser.prove(operation);
    return proof instanceof Promise
      ? stopNew.orNull(proof).then((found) => found ?? { fault: "CLOSING", detail: "no token yet" })
      : proof;
  }

  judge(operation: Operation, result: Exchange): Verdict {
    return judge(operation, result, this.settings.refusedAt503, this.timing.now());
  }

  refused(operation: Operation, token: string): void {
    this.#tokens.discard(operation.scope as Scope, token);
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

  send(
    request: PreparedRequest,
    proof: Credentials,
    gates: CancelSignals,
    transfer: Transfer,
    waiter: Exchanged,
    way: Dispatcher,
  ): void {
    const query =
      request.query === "" || proof.query === ""
        ? request.query + proof.query
        : `${request.query}&${proof.query}`;
    const path = `${this.service.basePath}${request.path}${query === "" ? "" : `?${query}`}`;
    const { origin } = this.service;
    const { method } = request.operation;
    const headers = this.#headersFor(request, proof);
    const { body } = request;
    beginExchange(way, { origin, method, path, headers, body }, this.#limits, gates, transfer, waiter);
  }

  /** Names and values in turns, put together once for each operation and proof. */
  #headersFor({ headers, body }: PreparedRequest, proof: Credentials): readonly string[] {
    const known = this.#headers.get(headers);
    if (known !== undefined && known.proof === proof) {
      return known.lines;
    }
    const lines = Object.entries({ ...headers, ...UNPACKED, ...proof.headers }).flat();
    if (!isSource(body)) {
      this.#headers.set(headers, { proof, lines });
    }
    return lines;
  }

  async #fetchToken(scope: Scope): Promise<Exchange> {
    const operation = OPERATIONS.token;
    const proof = (await this.#authoriser.prove(operation)) as Credentials;
    const { contentType, body } = encodeFields(operation.encoding, {
      grant_type: "client_credentials",
      scope,
    });
    return exchange(
      this.#tokenPool,
      {
        origin: this.tokenService.origin,
        method: operation.method,
        path: `${this.tokenService.basePath}${operation.path}`,
        headers: {
          accept: "application/json",
          "content-type": contentType ?? "",
          ...UNPACKED,
          ...proof.headers,
        },
        body,
      },
      this.#limits,
      // A token serves many messages, so it does not end with one of them.
      { stopNew: this.#closing, abort: this.#closing },
    );
  }

  /** Ends everything at once; requests under way are `unknown` by then, or their waiters have been told. */
  async destroy(): Promise<void> {
    this.#closing.stop();
    const all = [this.#servicePool, this.#tokenPool, ...this.#connections];
    await Promise.all(all.map((each) => each.destroy()));
  }
}

/** A request on its way to a verdict: one exchange, or two where a bearer token was refused. */
class Attempt implements Exchanged {
  #round = 0;
  #proof: Credentials | null = null;

  constructor(
    private readonly client: GatewayClient,
    private readonly request: PreparedRequest,
    private readonly gates: CancelSignals,
    private readonly transfer: Transfer,
    private readonly waiter: Attempted,
    private readonly way: Dispatcher,
  ) {}

  begin(): void {
    this.#round++;
    try {
      const proving = this.client.prove(this.request.operation, this.gates.stopNew);
      if (proving instanceof Promise) {
        proving.then(
          (proof) => this.#proven(proof),
          (error: unknown) => this.#failed(error),
        );
      } else {
        this.#proven(proving);
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  #proven(proof: Credentials | NoCredentials): void {
    if ("fault" in proof) {
      const verdict = localVerdict(proof.fault, proof.detail, this.#round);
      this.waiter.attempted(cleanVerdict(verdict, this.client.redactor));
      return;
    }
    this.#proof = proof;
    try {
      this.client.send(this.request, proof, this.gates, this.transfer, this, this.way);
    } catch (error) {
      this.#failed(error);
    }
  }

  exchanged(result: Exchange): void {
    let verdict: Verdict | null;
    try {
      verdict = this.#judge(result);
    } catch (error) {
      this.#failed(error);
      return;
    }
    if (verdict === null) {
      queueMicrotask(() => this.begin());
    } else {
      this.waiter.attempted(verdict);
    }
  }

  /** Null where it is to be sent again with another token. */
  #judge(result: Exchange): Verdict | null {
    const { operation } = this.request;
    const judged = this.client.judge(operation, result);
    const verdict = judged.attempts === this.#round ? judged : { ...judged, attempts: this.#round };
    const token = this.#proof?.token ?? null;
    if (verdict.httpStatus === 401 && verdict.outcome === "denied" && token !== null) {
      this.client.refused(operation, token);
      // The second round is the one replay after a 401.
      if (this.#round === 1) {
        return null;
      }
    }
    return cleanVerdict(verdict, this.client.redactor);
  }

  /** A fault of this package: nobody can say how far the request came, so it must not be repeated. */
  #failed(error: unknown): void {
    this.waiter.attempted(localVerdict("INTERNAL_FAULT", this.client.redactor.clean(String(error)), 1));
  }
}
