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
import type { FieldLimits } from "./field-rules";
import { LARGEST_BODY, readBody } from "./read-body";
import type { RecordedRequest } from "./records";
import type { Redactor } from "./redactor";
import { jsonReply, type Reply, refusalReply, withHeaders } from "./reply";

/** Everything that the requests of one simulator have in common. */
export interface World {
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly controlToken: string;
  readonly credentials: SimulatorCredentials;
  readonly endpoints: readonly Endpoint[];
  readonly limits: FieldLimits;
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
  const body = await readBody(request);
  const located = world.accounts.locate(fullPath);
  if (!located) {
    writeReply(notFound(world.redactor.text(fullPath)), response);
    return;
  }
  const { account, path } = located;
  const method = request.method ?? "";
  const wire = { method, path, query, headers: request.headers, body: body ?? Buffer.alloc(0) };
  if (isControl(path)) {
    writeReply(body ? answerControl(world, account, wire) : tooLarge(), response);
    return;
  }
  const at = world.clock.now();
  const { operation, seen, decision } = judge(world, account, wire, body === null);
  const record = account.record({
    at,
    operation,
    method,
    path: world.redactor.text(query === "" ? path : `${path}?${query}`),
    headers: world.redactor.headers(request.headers),
    rawBody: world.redactor.text(wire.body.toString("latin1")),
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

interface Judgement {
  readonly operation: string | null;
  readonly seen: Readonly<Record<string, unknown>>;
  readonly decision: Decision;
}

function judge(world: World, account: Account, request: WireRequest, oversized: boolean): Judgement {
  const { method, path } = request;
  const served = world.endpoints.filter((each) => each.path === path);
  const endpoint = served.find((each) => each.method === method);
  if (oversized) return { operation: endpoint?.id ?? null, seen: {}, decision: answerWith(tooLarge()) };
  if (!endpoint) {
    const allowed = served.map((each) => each.method);
    const reply = served.length === 0 ? notFound(world.redactor.text(path)) : wrongMethod(allowed);
    return { operation: null, seen: {}, decision: answerWith(reply) };
  }
  const context: CheckContext = {
    credentials: world.credentials,
    tokens: account.tokens,
    limits: world.limits,
  };
  const checked = checkRequest(endpoint, request, context);
  return { operation: endpoint.id, seen: checked.seen, decision: decide(endpoint, checked, account) };
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

function tooLarge(): Reply {
  // What is left of the body is not read, so the connection is of no more use.
  return withHeaders(refusalReply(413, `the body is larger than ${LARGEST_BODY} bytes`), {
    connection: "close",
  });
}
