import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Account } from "./account";
import type { Accounts } from "./accounts";
import { type CheckContext, checkRequest, type WireRequest } from "./check-request";
import type { Clock } from "./clock";
import { answerControl, isControl } from "./controls";
import type { SimulatorCredentials } from "./credentials";
import { answerWith, type Decision, decide } from "./decide";
import { deliver, writeReply } from "./deliver";
import type { Endpoint } from "./endpoint";
import type { ServiceLimits } from "./facts";
import { matchPath } from "./match-path";
import { LARGEST_BODY, readBody } from "./read-body";
import type { RecordedRequest } from "./records";
import type { Redactor } from "./redactor";
import { jsonReply, type Reply, refusalReply, withHeaders } from "./reply";

/** For boundaries and the header of the part that holds the file. */
const ROOM_AROUND_A_FILE = 16_384;

/** Everything that the requests of one simulator have in common. */
export interface World {
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly controlToken: string;
  readonly credentials: SimulatorCredentials;
  readonly endpoints: readonly Endpoint[];
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
  const route = findRoute(world.endpoints, method, located?.path ?? fullPath);
  const most = largestBody(route.endpoint, world.limits);
  const body = await readBody(request, most);
  if (!located) {
    writeReply(notFound(world.redactor.text(fullPath)), response);
    return;
  }
  const { account, path } = located;
  const wire = { method, path, query, headers: request.headers, body: body ?? Buffer.alloc(0) };
  if (isControl(path)) {
    writeReply(body ? answerControl(world, account, wire) : tooLarge(most), response);
    return;
  }
  const at = world.clock.now();
  const { seen, decision } = body
    ? judge(world, account, route, wire)
    : { seen: {}, decision: answerWith(tooLarge(most)) };
  const record = account.record({
    at,
    operation: route.endpoint?.id ?? null,
    method,
    path: world.redactor.text(query === "" ? path : `${path}?${query}`),
    headers: world.redactor.headers(request.headers),
    rawBody: isUpload(route.endpoint) ? "" : world.redactor.text(wire.body.toString("latin1")),
    fields: world.redactor.fields(seen),
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
    return { seen: {}, decision: answerWith(reply) };
  }
  const context: CheckContext = {
    credentials: world.credentials,
    tokens: account.tokens,
    facts: { ...world.limits, inventory: account.inventory },
  };
  const checked = checkRequest(endpoint, request, context);
  return { seen: checked.seen, decision: decide(endpoint, checked, account) };
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
