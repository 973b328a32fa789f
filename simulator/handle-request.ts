import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Account } from "./account/account";
import type { Accounts, Located } from "./account/accounts";
import { checkRequest, type WireRequest } from "./endpoints/check-request";
import type { Clock } from "./util/clock";
import { authenticate } from "./endpoints/authenticate";
import { answerControl, isControl, isHealth, refuseControl } from "./controls/controls";
import type { SimulatorCredentials } from "./sign-in/credentials";
import { plainResponse, planResponse } from "./faults/plan-response";
import { writeReply, writeResponse } from "./faults/write-response";
import type { Endpoint } from "./endpoints/endpoint";
import { ENDPOINTS } from "./endpoints/endpoints";
import type { CheckContext } from "./rules/field-rules";
import { matchPath } from "./request/match-path";
import { MAX_BODY, readBody } from "./request/read-body";
import { type HostRule, refuseWebPage } from "./request/request-gate";
import type { RecordedRequest } from "./messages/records";
import type { Redactor } from "./sign-in/redactor";
import { jsonReply, type Reply, refusalReply, withHeaders } from "./endpoints/reply";

/** Bytes allowed for boundaries and the header of the part that holds the file. */
const MULTIPART_OVERHEAD = 16_384;

export interface SimulatorContext {
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly controlToken: string;
  readonly credentials: SimulatorCredentials;
  readonly hosts: HostRule;
  readonly keepRefusedBodies: boolean;
  readonly limits: Omit<CheckContext, "inventory">;
  readonly redactor: Redactor;
  readonly reset: (socket: Socket) => void;
  /** Called for each request once its answer was written, or once it is certain that none follows. */
  readonly onRequest: (request: RecordedRequest, account: Account) => void;
}

export function createRequestListener(context: SimulatorContext): RequestListener {
  return (request, response) => {
    handle(context, request, response).catch((error: unknown) => {
      if (request.destroyed && !request.complete) return;
      if (response.headersSent) response.destroy();
      else writeReply(refusalReply(500, `defect in the simulator: ${String(error)}`), response);
    });
  };
}

async function handle(
  context: SimulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [fullPath = "/", query = ""] = splitOnce(request.url ?? "/", "?");
  const method = request.method ?? "";
  const located = context.accounts.locate(fullPath);
  const { account, path } = located;
  const head = { method, path, query, headers: request.headers };
  const pageRefusal = refuseWebPage(request, isControl(path), context.hosts);
  if (pageRefusal !== null) {
    await refuseRequest(refusalReply(403, pageRefusal), request, response);
  } else if (isControl(path)) {
    await serveControl(context, located, head, request, response);
  } else if (account) {
    await serveEndpoint(context, account, head, request, response);
  } else {
    await refuseRequest(notFound(context.redactor.text(fullPath)), request, response);
  }
}

type RequestHead = Omit<WireRequest, "body">;

async function refuseRequest(
  reply: Reply,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await readBody(request, 0);
  writeReply(reply, response);
}

/** Answers a control. A correct control token also creates the account that the path names. */
async function serveControl(
  { accounts, controlToken, redactor }: SimulatorContext,
  located: Located,
  head: RequestHead,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refusal = refuseControl(controlToken, head.path, head.headers);
  const account = isHealth(head.path) || refusal ? accounts.main : accounts.forControl(located);
  if (refusal || !account) {
    await refuseRequest(refusal ?? notFound(redactor.text(head.path)), request, response);
    return;
  }
  const body = await readBody(request, MAX_BODY);
  writeReply(body ? answerControl(redactor, account, { ...head, body }) : tooLarge(MAX_BODY), response);
}

async function serveEndpoint(
  context: SimulatorContext,
  account: Account,
  head: RequestHead,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, path, query, headers } = head;
  const route = findRoute(method, path);
  const { endpoint } = route;
  // The body of a caller without valid credentials, or to an unknown path, is not kept.
  const authenticated =
    endpoint !== null && !authenticate(endpoint, headers, query, context.credentials, account.tokens);
  const largest = isUpload(endpoint) ? context.limits.maxUpload + MULTIPART_OVERHEAD : MAX_BODY;
  const maxBytes = authenticated ? largest : 0;
  const body = await readBody(request, maxBytes);
  const received = { ...head, body: body ?? Buffer.alloc(0) };
  const at = context.clock.now();
  const { logged, refused, planned } =
    authenticated && !body
      ? { logged: {}, refused: true, planned: plainResponse(tooLarge(maxBytes)) }
      : await checkAndPlan(context, account, route, received);
  const record = account.record({
    at,
    operation: endpoint?.id ?? null,
    method,
    path: context.redactor.text(query === "" ? path : `${path}?${query}`),
    headers: context.redactor.headers(headers),
    rawBody:
      (refused && !context.keepRefusedBodies) || isUpload(endpoint)
        ? ""
        : context.redactor.text(received.body.toString("latin1")),
    fields: refused ? {} : context.redactor.fields(logged),
    httpStatus: null,
    statusCode: null,
    fault: planned.fault,
  });
  writeResponse(planned, request, response, context.reset, (written) => {
    Object.assign(record, written);
    context.onRequest(record, account);
  });
}

interface Route {
  readonly endpoint: Endpoint | null;
  readonly methods: readonly string[];
}

function findRoute(method: string, path: string): Route {
  const served = ENDPOINTS.filter((each) => matchPath(each.path, path));
  return {
    endpoint: served.find((each) => each.method === method) ?? null,
    methods: served.map((each) => each.method),
  };
}

function isUpload(endpoint: Endpoint | null): boolean {
  return endpoint?.encoding === "multipart";
}

async function checkAndPlan(
  context: SimulatorContext,
  account: Account,
  { endpoint, methods }: Route,
  request: WireRequest,
) {
  if (!endpoint) {
    const reply = methods.length === 0 ? notFound(context.redactor.text(request.path)) : wrongMethod(methods);
    return { logged: {}, refused: true, planned: plainResponse(reply) };
  }
  const limits = { ...context.limits, inventory: account.inventory };
  const checked = await checkRequest(endpoint, request, context.credentials, account.tokens, limits);
  const planned = planResponse(endpoint, checked, account);
  return { logged: checked.logged, refused: checked.refusal !== null, planned };
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** Without a status code: the service defines none for this, and clients would trust an invented one. */
function notFound(path: string): Reply {
  return jsonReply(404, { statusMessage: `no endpoint at ${path}` });
}

function wrongMethod(allowed: readonly string[]): Reply {
  return withHeaders(refusalReply(405, `use ${allowed.join(" or ")}`), { allow: allowed.join(", ") });
}

function tooLarge(maxBytes: number): Reply {
  // Part of the body may be unread, so the connection cannot be reused.
  return withHeaders(refusalReply(413, `the body is larger than ${maxBytes} bytes`), {
    connection: "close",
  });
}
