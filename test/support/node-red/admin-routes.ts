/** A route that the package adds to Node-RED's admin app. */
export interface AdminRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** As it is registered. */
  readonly pattern: string;
  /** Status of the answer to an empty request of a user with the permission. */
  readonly status: number;
  /** All of them where there are several, joined by a comma. */
  readonly permission: string;
}

const ROWS = `
GET :id/simulator 200 flows.read
GET :id/simulator/texts 200 flows.write
POST :id/simulator/next-answer 400 flows.write
POST :id/simulator/normal 200 flows.write
POST :id/simulator/reply 400 flows.write
POST :id/simulator/status 400 flows.write
POST :id/simulator/tap 400 flows.write
POST :id/simulator/template 400 flows.write
POST :id/simulator/write 400 flows.write
POST :id/templates 400 flows.read
POST :id/test 400 flows.write
POST :id/storage 200 flows.write
POST :id/send-test 400 flows.write
POST :id/history/search 400 messaging-history.read
POST :id/history/message 400 messaging-history.read
POST :id/history/export 400 messaging-history.read
POST :id/history/plan-again 400 messaging-history.read,messaging-queue.write
POST :id/history/send-again 400 messaging-history.read,messaging-queue.write
POST :id/history/conversation 400 messaging-history.read,messaging-conversations.read
POST :id/history/delete-number 400 messaging-history.write
POST :id/report/look 400 messaging-history.read
POST :id/report/export 400 messaging-history.read
POST :id/queue/look 400 flows.read
POST :id/queue/instances 200 messaging-history.read
POST :id/queue/pause 400 messaging-queue.write
POST :id/queue/resume 400 messaging-queue.write
POST :id/queue/use-address 400 messaging-queue.write
POST :id/queue/cancel 200 messaging-queue.write
POST :id/queue/send 400 messaging-queue.write
POST :id/queue/discard 400 messaging-queue.write
POST :id/queue/save 400 messaging-history.read,messaging-queue.write
POST :id/opt-outs/count 200 flows.read
POST :id/opt-outs/list 400 messaging-opt-outs.read
POST :id/opt-outs/find 400 messaging-opt-outs.read
POST :id/opt-outs/export 400 messaging-opt-outs.read
POST :id/opt-outs/add 400 messaging-opt-outs.write
POST :id/opt-outs/remove 400 messaging-opt-outs.write
POST :id/sending/look 200 flows.read
POST :id/sending/stop 200 messaging-sending.write
POST :id/sending/go-on 200 messaging-sending.write
POST :id/sending/resume 200 messaging-sending.write
POST webhook-in/:id/self-test 200 flows.write
POST webhook-in/:id/secret 200 flows.write
`;

/** Every admin route of the package; a test compares them with those that its nodes register. */
export const ADMIN_ROUTES: readonly AdminRoute[] = ROWS.trim()
  .split("\n")
  .map((row) => {
    const [method, path, status, permission = ""] = row.split(" ");
    return {
      method: method as AdminRoute["method"],
      pattern: `/messaging-account/${path}`,
      status: Number(status),
      permission,
    };
  });
