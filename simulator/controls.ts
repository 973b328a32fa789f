import type { Account } from "./account";
import type { WireRequest } from "./check-request";
import { MAGIC_RECIPIENTS } from "./magic-recipients";
import type { Redactor } from "./redactor";
import { jsonReply, type Reply, withHeaders } from "./reply";
import { sameSecret } from "./same-secret";

const PREFIX = "/_sim/";
/** Entries of a log shown without `limit`. */
const SHOWN = 100;
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

type Control = (account: Account, request: WireRequest) => Reply;

const health: Control = () => jsonReply(200, { status: "ok" });

const CONTROLS: Readonly<Record<string, Readonly<Record<string, Control>>>> = {
  health: { GET: health },
  magic: {
    GET: () =>
      jsonReply(
        200,
        MAGIC_RECIPIENTS.map(({ pattern, example, meaning }) => ({ pattern, example, meaning })),
      ),
  },
  messages: {
    GET: (account, request) =>
      jsonReply(200, { total: account.messageCount, messages: newest(account.messages, request) }),
  },
  requests: {
    GET: (account, request) =>
      jsonReply(200, { total: account.requestCount, requests: newest(account.requests, request) }),
  },
  faults: {
    GET: (account) => jsonReply(200, account.faults.list()),
    POST: addFault,
    DELETE: (account) => {
      account.clearFaults();
      return jsonReply(200, { cleared: true });
    },
  },
  reset: {
    POST: (account) => {
      account.reset();
      return jsonReply(200, { reset: true });
    },
  },
};

/** True for paths that steer the simulator instead of belonging to the service. */
export function isControl(path: string): boolean {
  return path.startsWith(PREFIX);
}

/**
 * Answers a control request, in JSON. Only from this machine by name (a web page that points its own name at
 * this address is turned away), and but for `health` only with the control token.
 */
export function answerControl(
  { controlToken, redactor }: { readonly controlToken: string; readonly redactor: Redactor },
  account: Account,
  request: WireRequest,
): Reply {
  const { headers, path, method } = request;
  if (!LOOPBACK_HOST.test(headers.host ?? ""))
    return problem(403, "controls answer to a loopback host name only");
  const name = path.slice(PREFIX.length);
  const methods = Object.hasOwn(CONTROLS, name) ? CONTROLS[name] : undefined;
  const given = headers["x-simulator-token"];
  if (methods !== CONTROLS.health && !sameSecret(typeof given === "string" ? given : "", controlToken)) {
    return problem(401, "header x-simulator-token is missing or wrong");
  }
  if (!methods) return problem(404, "no such control");
  const control = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (!control) {
    const allow = Object.keys(methods).join(", ");
    return withHeaders(problem(405, `use ${allow}`), { allow });
  }
  const reply = control(account, request);
  return { ...reply, body: Buffer.from(redactor.text(reply.body.toString())) };
}

function addFault(account: Account, { headers, body }: WireRequest): Reply {
  if (!/^application\/json\b/i.test(headers["content-type"] ?? "")) {
    return problem(415, "content type must be application/json");
  }
  try {
    return jsonReply(201, { id: account.faults.add(JSON.parse(body.toString())) });
  } catch (error) {
    return problem(400, error instanceof TypeError ? error.message : "the body is not JSON");
  }
}

function newest<Entry>(log: readonly Entry[], { query }: WireRequest): readonly Entry[] {
  const limit = /^limit=(\d{1,6})$/.exec(query)?.[1];
  const count = limit === undefined ? SHOWN : Number(limit);
  return count === 0 ? [] : log.slice(-count);
}

function problem(httpStatus: number, error: string): Reply {
  return jsonReply(httpStatus, { error });
}
