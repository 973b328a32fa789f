import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { NodeAPI } from "node-red";
import { serveActivity } from "../../../../lib/runtime/admin/activity-routes";
import { serveSimulatorPanel } from "../../../../lib/runtime/admin/simulator-routes";

/** Registers the routes with a Node-RED that only notes them, and the guard that stands before each. */
function routes(): string[] {
  const found: string[] = [];
  const note =
    (method: string) =>
    (path: string, ...handlers: unknown[]): void => {
      const [guard] = handlers;
      assert.equal(handlers.length, 2, `${method} ${path} has a guard and a handler`);
      found.push(`${method} ${path} ${String(guard)}`);
    };
  const RED = {
    events: new EventEmitter(),
    httpAdmin: { get: note("GET"), post: note("POST"), delete: note("DELETE") },
    auth: { needsPermission: (permission: string) => permission },
  } as unknown as NodeAPI;
  serveActivity(RED);
  serveSimulatorPanel(RED);
  return found;
}

describe("routes of the activity sidebar", () => {
  it("let nobody read or act without the permission for it", () => {
    assert.deepEqual(routes().sort(), [
      "DELETE /messaging-account/activity flows.write",
      "GET /messaging-account/:id/simulator flows.read",
      "GET /messaging-account/:id/simulator/texts flows.write",
      "GET /messaging-account/activity flows.read",
      ...["next-answer", "normal", "reply", "status", "write"].map(
        (play) => `POST /messaging-account/:id/simulator/${play} flows.write`,
      ),
    ]);
  });

  it("are not there where Node-RED has no admin app", () => {
    const RED = { events: new EventEmitter() } as unknown as NodeAPI;
    serveActivity(RED);
    serveSimulatorPanel(RED);
  });
});
