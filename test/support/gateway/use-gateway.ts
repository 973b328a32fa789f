import type { Socket } from "node:net";
import { GatewayClient } from "../../../lib/gateway/client/gateway-client";
import type { Verdict } from "../../../lib/gateway/codec/verdict";
import type { GatewaySettings } from "../../../lib/gateway/contract/settings";
import type { CancelSignals } from "../../../lib/gateway/http/cancel-signal";
import type { Transfer } from "../../../lib/gateway/http/body/transfer";
import { REAL_TIMING, type Timing } from "../../../lib/gateway/http/timing";
import { type Batch, Dispatcher, type QueueHandle } from "../../../lib/gateway/queue/dispatcher";
import { answer, type FaultPlan, FaultServer, type SeenRequest } from "../http/fault-server";
import { type ProxyReply, startProxy, type TestProxy } from "../http/test-proxy";
import { waitFor } from "../wait-for";
import { newGates, settingsFor, sms } from "./gateway-settings";

/** What a server does with each whole request: the bytes of its answer, or what happens to the connection. */
export type Reply = string | ((socket: Socket, request: SeenRequest) => unknown);

/** A server that keeps the connections of its requests until a test answers them. */
export interface HeldServer {
  readonly server: FaultServer;
  /** In the order of the requests. */
  readonly held: Socket[];
  /** Waits for the request number `at`, from 0, and answers it. */
  answerAt(at: number, bytes?: string): Promise<void>;
}

/** A handle that gives verdicts as promises. */
export interface TestHandle extends QueueHandle {
  /** @throws SetupError or FieldError at once */
  submit(batch: Batch): Promise<Verdict>;
}

export function openHandle(dispatcher: Dispatcher): TestHandle {
  const handle = dispatcher.openHandle();
  return { ...handle, submit: (batch) => handle.send(handle.prepare(batch), batch.transfer) };
}

type Changed = Partial<GatewaySettings>;

/** The bytes of a good answer of the token service. */
export const TOKEN = answer(200, `{"access_token":"tok-1","token_type":"bearer","expires_in":300}`);

export const isToken = ({ target }: SeenRequest): boolean => target.endsWith("/oauth/token");

/** The outcome of a message and the name of its status, as in "sent OK". */
export const brief = ({ outcome, statusName }: Verdict): string => `${outcome} ${statusName}`;

/** Answers token requests with a good token, and does as `reply` says with all others. */
export const withTokens =
  (reply: Reply): Reply =>
  (socket, request) =>
    isToken(request) ? socket.write(TOKEN) : act(reply, socket, request);

function act(reply: Reply, socket: Socket, request: SeenRequest): void {
  if (typeof reply === "string") {
    socket.write(reply);
  } else {
    reply(socket, request);
  }
}

/** Makes servers, proxies, clients and dispatchers for the tests of a suite; each is closed after its test. */
export function useGateway() {
  const closers: (() => unknown)[] = [];

  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) {
      await close();
    }
  });

  /** A server that accepts every message, or does as `reply` says; `plan` is for what comes before a whole request. */
  async function serve(reply?: Reply | null, plan: FaultPlan = {}): Promise<FaultServer> {
    const onRequest = (request: SeenRequest, socket: Socket): void => act(reply ?? "", socket, request);
    const server = await FaultServer.start(reply == null ? plan : { ...plan, onRequest });
    closers.push(() => server.close());
    return server;
  }

  async function serveHeld(): Promise<HeldServer> {
    const held: Socket[] = [];
    const server = await serve((socket) => held.push(socket));
    const answerAt = async (at: number, bytes?: string): Promise<void> => {
      await waitFor(`request ${at + 1}`, () => held.length > at);
      server.answered(held[at] as Socket, bytes);
    };
    return { server, held, answerAt };
  }

  async function proxyOf(reply?: ProxyReply): Promise<TestProxy> {
    const proxy = await startProxy(reply);
    closers.push(() => proxy.close());
    return proxy;
  }

  function clientOf(address: string, changed: Changed = {}): GatewayClient {
    const client = new GatewayClient(settingsFor(address, changed), REAL_TIMING);
    closers.push(() => client.destroy());
    return client;
  }

  /** Sends one message by a client, an SMS unless told otherwise, without queue or retry. */
  const send = (
    client: GatewayClient,
    { operation, fields }: Batch = sms(),
    transfer: Transfer = {},
    signals: CancelSignals = newGates(),
    worker = 0,
  ): Promise<Verdict> => {
    const request = client.prepare(operation, fields);
    return new Promise((attempted) => client.start(request, signals, transfer, { attempted }, worker));
  };

  /** Sends one SMS by a client of its own. */
  const ask = (address: string, changed?: Changed): Promise<Verdict> => send(clientOf(address, changed));

  /** A dispatcher with one handle of its queue. */
  function dispatch(
    address: string,
    changed: Changed = {},
    timing: Timing = REAL_TIMING,
  ): { readonly dispatcher: Dispatcher; readonly queue: TestHandle } {
    const dispatcher = new Dispatcher(settingsFor(address, changed), timing);
    closers.push(() => dispatcher.close(0));
    return { dispatcher, queue: openHandle(dispatcher) };
  }

  /** A dispatcher at a server that does as `reply` says. */
  async function dispatchTo(reply?: Reply | null, changed?: Changed, timing?: Timing) {
    const server = await serve(reply);
    return { server, ...dispatch(server.url, changed, timing) };
  }

  /** A dispatcher at a server that keeps the connections of its requests. */
  async function dispatchHeld(changed?: Changed, timing?: Timing) {
    const held = await serveHeld();
    return { ...held, ...dispatch(held.server.url, changed, timing) };
  }

  return { serve, serveHeld, proxyOf, clientOf, send, ask, dispatch, dispatchTo, dispatchHeld };
}
