import { z } from "zod";
import type { Account } from "../account/account";
import type { WireRequest } from "../endpoints/check-request";
import { adding, clearing, type Controls, newest, problem } from "./control";
import { isLoopback } from "../util/is-loopback";
import { FAULTY_RECIPIENTS } from "../faults/faulty-recipients";
import { parseMedia } from "../inventory/media-store";
import type { Redactor } from "../sign-in/redactor";
import { jsonReply, type Reply, withHeaders } from "../endpoints/reply";
import { parseInput } from "../util/parse-input";
import { sameSecret } from "../util/same-secret";
import { WEBHOOK_CONTROLS } from "./webhook-controls";

const PREFIX = "/_sim/";

const application = z.strictObject({ applicationId: z.string() });
const session = z.strictObject({ recipient: z.string() });

const CONTROLS: Controls = {
  ...WEBHOOK_CONTROLS,
  health: { GET: () => jsonReply(200, { status: "ok" }) },
  recipients: {
    GET: () =>
      jsonReply(
        200,
        FAULTY_RECIPIENTS.map(({ pattern, example, meaning }) => ({ pattern, example, meaning })),
      ),
  },
  messages: {
    GET: (account, request) =>
      jsonReply(200, { total: account.messageCount, messages: newest(account.messages, request) }),
  },
  inbound: {
    GET: (account, request) =>
      jsonReply(200, { total: account.receivedCount, messages: newest(account.received, request) }),
  },
  requests: {
    GET: (account, request) =>
      jsonReply(200, { total: account.requestCount, requests: newest(account.requests, request) }),
  },
  faults: {
    GET: (account) => jsonReply(200, account.faults.list()),
    POST: adding((account, rule) => ({ id: account.faults.add(rule) })),
    DELETE: clearing((account) => account.clearFaults()),
  },
  applications: {
    GET: (account) => jsonReply(200, account.applications),
    POST: adding((account, value) => {
      const { applicationId } = parseInput("application", application, value);
      account.inventory.addApplication(applicationId);
      return { applicationId: applicationId.toLowerCase() };
    }),
  },
  sessions: {
    GET: (account) => jsonReply(200, account.sessions),
    POST: adding((account, value) => {
      const { recipient } = parseInput("session", session, value);
      return account.inventory.sessionWindow.open(recipient);
    }),
    DELETE: clearing(({ inventory }) => inventory.sessionWindow.clear()),
  },
  templates: {
    GET: (account) => jsonReply(200, account.templates),
    POST: adding((account, value) => account.inventory.templates.add(value)),
  },
  media: {
    GET: (account) => jsonReply(200, account.media),
    POST: adding(({ inventory }, value) => ({ mediaId: inventory.media.add(parseMedia(value)) })),
  },
  attachments: { GET: (account) => jsonReply(200, account.attachments) },
  reset: {
    POST: (account) => {
      account.reset();
      return jsonReply(200, { reset: true });
    },
  },
};

export function isControl(path: string): boolean {
  return path.startsWith(PREFIX);
}

export function isHealth(path: string): boolean {
  return path === `${PREFIX}health`;
}

/** Controls need a loopback host and, except `health`, the control token. Runs before the body is read. */
export function refuseControl(
  controlToken: string,
  path: string,
  headers: WireRequest["headers"],
): Reply | null {
  if (!isLoopback(headers.host ?? "")) return problem(403, "controls accept loopback host names only");
  const given = headers["x-simulator-token"];
  if (!isHealth(path) && !sameSecret(typeof given === "string" ? given : "", controlToken)) {
    return problem(401, "header x-simulator-token is missing or wrong");
  }
  return null;
}

export function answerControl(redactor: Redactor, account: Account, request: WireRequest): Reply {
  const { path, method } = request;
  const name = path.slice(PREFIX.length);
  const methods = Object.hasOwn(CONTROLS, name) ? CONTROLS[name] : undefined;
  if (!methods) return problem(404, "no such control");
  const control = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (!control) {
    const allow = Object.keys(methods).join(", ");
    return withHeaders(problem(405, `use ${allow}`), { allow });
  }
  const reply = control(account, request);
  return { ...reply, body: Buffer.from(redactor.json(reply.body.toString())) };
}
