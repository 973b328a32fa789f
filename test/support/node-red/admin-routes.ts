/** A route that the package adds to Node-RED's admin app. */
export interface AdminRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** As it is registered. */
  readonly pattern: string;
  /** All of them where there are several, joined by a comma. */
  readonly permission: string;
  /** Status of an answer to an empty request of somebody who has the permission. */
  readonly status: number;
}

const post = (pattern: string, status: number, permission = "flows.write"): AdminRoute => ({
  method: "POST",
  pattern,
  permission,
  status,
});
const history = (action: string, permission = "messaging-history.read"): AdminRoute =>
  post(`/messaging-account/:id/history/${action}`, 400, permission);
const queue = (action: string, status: number, permission = "messaging-queue.write"): AdminRoute =>
  post(`/messaging-account/:id/queue/${action}`, status, permission);
const optOuts = (action: string, status: number, permission = "messaging-opt-outs.read"): AdminRoute =>
  post(`/messaging-account/:id/opt-outs/${action}`, status, permission);
const sending = (action: string, permission = "messaging-sending.write"): AdminRoute =>
  post(`/messaging-account/:id/sending/${action}`, 200, permission);

/** Every admin route of the package; a test compares them with those that its nodes register. */
export const ADMIN_ROUTES: readonly AdminRoute[] = [
  { method: "GET", pattern: "/messaging-account/activity", permission: "flows.read", status: 200 },
  { method: "DELETE", pattern: "/messaging-account/activity", permission: "flows.write", status: 204 },
  post("/messaging-account/activity/entry", 400, "flows.read"),
  post("/messaging-account/activity/entry/full", 400, "messaging-history.read"),
  post("/messaging-account/activity/find", 400, "flows.read"),
  post("/messaging-account/activity/find/full", 400, "messaging-history.read"),
  { method: "GET", pattern: "/messaging-account/:id/simulator", permission: "flows.read", status: 200 },
  {
    method: "GET",
    pattern: "/messaging-account/:id/simulator/texts",
    permission: "flows.write",
    status: 200,
  },
  { method: "GET", pattern: "/messaging-account/last-message/:id", permission: "flows.write", status: 200 },
  post("/messaging-account/:id/simulator/next-answer", 400),
  post("/messaging-account/:id/simulator/normal", 200),
  post("/messaging-account/:id/simulator/reply", 400),
  post("/messaging-account/:id/simulator/status", 400),
  post("/messaging-account/:id/simulator/tap", 400),
  post("/messaging-account/:id/simulator/template", 400),
  post("/messaging-account/:id/simulator/write", 400),
  post("/messaging-account/:id/templates", 400, "flows.read"),
  post("/messaging-account/:id/test", 400),
  post("/messaging-account/:id/storage", 200),
  post("/messaging-account/:id/file-facts", 400),
  post("/messaging-account/:id/send-test", 400),
  history("search"),
  history("message"),
  history("export"),
  history("plan-again", "messaging-history.read,messaging-queue.write"),
  history("send-again", "messaging-history.read,messaging-queue.write"),
  history("conversation", "messaging-history.read,messaging-conversations.read"),
  ...["reply-nodes", "plan-reply", "reply", "reply-state"].map((action) =>
    history(action, "messaging-history.read,messaging-conversations.read,messaging-queue.write"),
  ),
  history("delete-number", "messaging-history.write"),
  queue("look", 400, "flows.read"),
  queue("instances", 200, "messaging-history.read"),
  queue("former", 200, "flows.read"),
  queue("former-places", 200),
  queue("move", 200),
  queue("pause", 400),
  queue("resume", 400),
  queue("cancel", 200),
  queue("send", 400),
  queue("discard", 400),
  queue("save", 400, "messaging-history.read,messaging-queue.write"),
  optOuts("count", 200, "flows.read"),
  optOuts("list", 400),
  optOuts("find", 400),
  optOuts("export", 400),
  optOuts("add", 400, "messaging-opt-outs.write"),
  optOuts("remove", 400, "messaging-opt-outs.write"),
  sending("look", "flows.read"),
  sending("stop"),
  sending("go-on"),
  post("/messaging-account/webhook-in/:id/self-test", 200),
  post("/messaging-account/webhook-in/:id/secret", 200),
];
