import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Account } from "./account/account";
import type { Accounts, Located } from "./account/accounts";
import { type RequestContext, checkRequest, type WireRequest } from "./endpoints/check-request";
import type { Clock } from "./util/clock";
import { authenticate } from "./endpoints/authenticate";
import { answerControl, isControl, isHealth, refuseControl } from "./controls/controls";
import type { SimulatorCredentials } from "./sign-in/credentials";
import { answerWith, type Decision, decide } from "./faults/decide";
import { deliver, writeReply } from "./faults/deliver";
import type { Endpoint } from "./endpoints/endpoint";
import type { ServiceLimits } from "./rules/check-context";
import { matchPath } from "./request/match-path";
import { LARGEST_BODY, readBody } from "./request/read-body";
import { type HostRule, refuseWebPage } from "./request/request-gate";
import type { RecordedRequest } from "./messages/records";
import type { Redactor } from "./sign-in/redactor";
import { jsonReply, type Reply, refusalReply, withHeaders } from "./endpoints/reply";

/** For boundaries and the header of the part that holds the file. */
const ROOM_AROUND_A_FILE = 16_384;

/** Everything that the requests of one simulator have in common. */
export interface World {
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly controlToken: string;
  readonly credentials: SimulatorCredentials;
  readonly endpoints: readonly Endpoint[];
  readonly hosts: HostRule;
  readonly keepRefusedBodies: boolean;
  readonly limits: ServiceLimits;
  readonly redactor: Redactor;
  /** Closes a connection with RST instead of FIN. */
  readonly reset: (socket: Socket) => void;
  /** Told of each request once its answer was written, or is known never to come. */
  readonly onRequest: (request: RecordedRequest, account: Account) => void;
}

/** The listener for every request: controls are answered at once, the rest is recorded, decided and delivered. */
export function createRequestListener(world: World): RequestListener {
  return (request, response) => {
    handle(world, request, response).catch((error: unknown) => {
      // Only a lost connection or a mistake in here leads to this place.
      if (request.destroyed && !request.complete) return;
      if (response.headersSent) response.destroy();
      else writeReply(refusalReply(500, `mistake in the simulator: ${String(error)}`), response);
    });
  };
}

async function handle(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [fullPath = "/", query = ""] = splitOnce(request.url ?? "/", "?");
  const method = request.method ?? "";
  const located = world.accounts.locate(fullPath);
  const { account, path } = located;
  const wire = { method, path, query, headers: request.headers };
  const stranger = refuseWebPage(request, isControl(path), world.hosts);
  if (stranger !== null) {
    await turnAway(refusalReply(403, stranger), request, response);
  } else if (isControl(path)) {
    await steer(world, located, wire, request, response);
  } else if (account) {
    await serve(world, account, wire, request, response);
  } else {
    await turnAway(notFound(world.redactor.text(fullPath)), request, response);
  }
}

/** A request before its body was read. */
type WireHead = Omit<WireRequest, "body">;

/** Answers without keeping anything of the request. */
async function turnAway(reply: Reply, request: IncomingMessage, response: ServerResponse): Promise<void> {
  await readBody(request, 0);
  writeReply(reply, response);
}

/** Answers a control. Its account is made where the token is right: whoever has it may have accounts. */
async function steer(
  { accounts, controlToken, redactor }: World,
  located: Located,
  wire: WireHead,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refusal = refuseControl(controlToken, wire.path, wire.headers);
  const account = isHealth(wire.path) || refusal ? accounts.main : accounts.forControl(located);
  if (refusal || !account) {
    await turnAway(refusal ?? notFound(redactor.text(wire.path)), request, response);
    return;
  }
  const body = await readBody(request, LARGEST_BODY);
  writeReply(body ? answerControl(redactor, account, { ...wire, body }) : tooLarge(LARGEST_BODY), response);
}

/** Records, decides and answers a request to the service. */
async function serve(
  world: World,
  account: Account,
  head: WireHead,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, path, query, headers } = head;
  const route = findRoute(world.endpoints, method, path);
  const { endpoint } = route;
  // Of somebody who may not call, and of a call that leads nowhere, no byte is kept.
  const known =
    endpoint !== null && !authenticate(endpoint, headers, query, world.credentials, account.tokens);
  const most = known ? largestBody(endpoint, world.limits) : 0;
  const body = await readBody(request, most);
  const wire = { ...head, body: body ?? Buffer.alloc(0) };
  const at = world.clock.now();
  const { seen, refused, decision } =
    known && !body
      ? { seen: {}, refused: true, decision: answerWith(tooLarge(most)) }
      : judge(world, account, route, wire);
  const record = account.record({
    at,
    operation: endpoint?.id ?? null,
    method,
    path: world.redactor.text(query === "" ? path : `${path}?${query}`),
    headers: world.redactor.headers(headers),
    rawBody:
      (refused && !world.keepRefusedBodies) || isUpload(endpoint)
        ? ""
        : world.redactor.text(wire.body.toString("latin1")),
    fields: refused ? {} : world.redactor.fields(seen),
    httpStatus: null,
    statusCode: null,
    fault: decision.fault,
  });
  deliver(decision, request, response, world.reset, (delivered) => {
    Object.assign(record, delivered);
    world.onRequest(record, account);
  });
}

/** Where a request leads. */
interface Route {
  /** null when path or method fit none. */
  readonly endpoint: Endpoint | null;
  /** Methods that the path has; none: there is nothing at this path. */
  readonly methods: readonly string[];
}

function findRoute(endpoints: readonly Endpoint[], method: string, path: string): Route {
  const served = endpoints.filter((each) => matchPath(each.path, path));
  return {
    endpoint: served.find((each) => each.method === method) ?? null,
    methods: served.map((each) => each.method),
  };
}

function isUpload(endpoint: Endpoint | null): boolean {
  return endpoint?.encoding === "multipart";
}

function largestBody(endpoint: Endpoint | null, { maxUpload }: ServiceLimits): number {
  return isUpload(endpoint) ? maxUpload + ROOM_AROUND_A_FILE : LARGEST_BODY;
}

interface Judgement {
  readonly seen: Readonly<Record<string, unknown>>;
  /** True: it does not pass the checks, whatever a fault plan says. */
  readonly refused: boolean;
  readonly decision: Decision;
}

function judge(
  world: World,
  account: Account,
  { endpoint, methods }: Route,
  request: WireRequest,
): Judgement {
  if (!endpoint) {
    const reply = methods.length === 0 ? notFound(world.redactor.text(request.path)) : wrongMethod(methods);
    return { seen: {}, refused: true, decision: answerWith(reply) };
  }
  const context: RequestContext = {
    credentials: world.credentials,
    tokens: account.tokens,
    limits: { ...world.limits, inventory: account.inventory },
  };
  const checked = checkRequest(endpoint, request, context);
  const decision = decide(endpoint, checked, account);
  return { seen: checked.seen, refused: checked.refusal !== null, decision };
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** No status code: none of the service's fits, and a made-up one would be read as the service's word. */
function notFound(path: string): Reply {
  return jsonReply(404, { statusMessage: `no endpoint at ${path}` });
}

function wrongMethod(allowed: readonly string[]): Reply {
  return withHeaders(refusalReply(405, `use ${allowed.join(" or ")}`), { allow: allowed.join(", ") });
}

function tooLarge(most: number): Reply {
  // Something of the body may be left unread, and then the connection is of no more use.
  return withHeaders(refusalReply(413, `the body is larger than ${most} bytes`), {
    connection: "close",
  });
}
