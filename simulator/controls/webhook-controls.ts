import { adding, clearing, type Controls, newest, problem } from "./control";
import { jsonReply } from "../endpoints/reply";

export const WEBHOOK_CONTROLS: Controls = {
  webhooks: {
    GET: (account) => jsonReply(200, account.webhooks),
    POST: adding(({ callbacks }, webhook) => {
      const { id } = callbacks.deliveries.webhooks.register(webhook, "control");
      return { id };
    }),
    DELETE: ({ callbacks }, { query }) => {
      const [, id] = /^id=(\d{1,9})$/.exec(query) ?? [];
      if (query !== "" && id === undefined) return problem(400, "the query must be empty or id=number");
      const removed = callbacks.deliveries.webhooks.remove(id === undefined ? null : Number(id));
      return id !== undefined && removed === 0
        ? problem(404, "there is no webhook with this id")
        : jsonReply(200, { removed });
    },
  },
  deliveries: {
    GET: (account, request) =>
      jsonReply(200, {
        total: account.deliveryCount,
        pending: account.pendingDeliveries,
        deliveries: newest(account.deliveries, request),
      }),
    DELETE: clearing(({ callbacks }) => callbacks.clear()),
  },
  deliver: { POST: adding((account, incoming) => ({ ids: account.callbacks.receive(incoming) })) },
  "status-plan": {
    GET: (account) => jsonReply(200, account.statusPlan),
    POST: adding(({ callbacks }, rule) => callbacks.plan.add(rule)),
    DELETE: clearing(({ callbacks }) => callbacks.plan.clear()),
  },
};
