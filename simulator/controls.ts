import type { Account } from "./account";
import type { WireRequest } from "./check-request";
import { MAGIC_RECIPIENTS } from "./magic-recipients";
import { parseMedia } from "./media-store";
import type { Redactor } from "./redactor";
import { jsonReply, type Reply, withHeaders } from "./reply";
import { refuseOthers, requireObject, requireText } from "./require-fields";
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
    POST: adding((account, rule) => ({ id: account.faults.add(rule) })),
    DELETE: (account) => {
      account.clearFaults();
      return jsonReply(200, { cleared: true });
    },
  },
  applications: {
    GET: (account) => jsonReply(200, account.applications),
    POST: adding((account, value) => {
      const { applicationId } = requireText("application", value, ["applicationId"]);
      return { applicationId: account.inventory.applications.add(applicationId) };
    }),
  },
  sessions: {
    GET: (account) => jsonReply(200, account.sessions),
    POST: adding((account, value) => {
      const { recipient } = requireText("session", value, ["recipient"]);
      return account.inventory.careWindow.open(recipient);
    }),
    DELETE: (account) => {
      account.inventory.careWindow.clear();
      return jsonReply(200, { cleared: true });
    },
  },
  templates: {
    GET: (account) => jsonReply(200, account.templates),
    POST: adding((account, value) => account.inventory.templates.add(value)),
  },
  media: {
    GET: (account) => jsonReply(200, account.media),
    POST: adding((account, value) => ({
      mediaId: account.inventory.media.add(parseMedia(fromBase64(value))),
    })),
  },
  attachments: { GET: (account) => jsonReply(200, account.attachments) },
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

/** A control that takes something new in JSON; the TypeError for a wrong one becomes the answer. */
function adding(add: (account: Account, value: unknown) => object): Control {
  return (account, { headers, body }) => {
    if (!/^application\/json\b/i.test(headers["content-type"] ?? "")) {
      return problem(415, "content type must be application/json");
    }
    try {
      return jsonReply(201, add(account, JSON.parse(body.toString())));
    } catch (error) {
      return problem(400, error instanceof TypeError ? error.message : "the body is not JSON");
    }
  };
}

/** JSON has no bytes: `base64` stands for `content`. */
function fromBase64(value: unknown): unknown {
  const { base64, ...media } = requireObject("media", value);
  if (base64 === undefined) return media;
  refuseOthers("media", media, ["contentType", "fileName"]);
  if (typeof base64 !== "string" || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw new TypeError("media: base64 must be content in base64");
  }
  return { ...media, content: Buffer.from(base64, "base64") };
}

function newest<Entry>(log: readonly Entry[], { query }: WireRequest): readonly Entry[] {
  const limit = /^limit=(\d{1,6})$/.exec(query)?.[1];
  const count = limit === undefined ? SHOWN : Number(limit);
  return count === 0 ? [] : log.slice(-count);
}

function problem(httpStatus: number, error: string): Reply {
  return jsonReply(httpStatus, { error });
}
