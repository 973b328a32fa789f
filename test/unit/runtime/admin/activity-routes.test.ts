import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { NodeAPI } from "node-red";
import { activityOf } from "../../../../lib/runtime/activity/activity-of";
import { serveActivity } from "../../../../lib/runtime/admin/activity-routes";
import type { ActivityState } from "../../../../lib/shared/activity";

type Handler = (request: object, response: object) => void;

describe("the list of the activity, as the editor gets it", () => {
  it("says why a failure was one, in the language of who reads, and of nothing else", () => {
    const handlers: Handler[] = [];
    let open = (): void => {};
    const RED = {
      events: new EventEmitter(),
      comms: { publish: () => {} },
      settings: {},
      auth: { needsPermission: () => () => {} },
      httpAdmin: {
        use: (_path: string, gate: (request: object, response: object, next: () => void) => void) => {
          open = () => gate({}, {}, () => {});
        },
        get: (_path: string, ...all: readonly Handler[]) => void handlers.push(all.at(-1) as Handler),
        post: () => {},
        delete: () => {},
      },
    } as unknown as NodeAPI;
    serveActivity(RED);
    open();
    const facts = { node: "n1", template: null, channel: "sms", who: "", count: 1, status: "" } as const;
    const entry = { ...facts, code: null, simulated: false };
    const log = activityOf(RED);
    log.add("a1", { ...entry, result: "sent", name: "OK" });
    log.add("a1", { ...entry, result: "rejected", name: "INVALID_SENDER" });
    log.add("a1", { ...entry, channel: "media", result: "denied", name: "FILE_UNWRITABLE" });
    log.add("a1", { ...entry, result: "received", name: "INVALID_SENDER" });
    const reasonsIn = (language: string): readonly (string | undefined)[] => {
      const states: ActivityState[] = [];
      const response = { set: () => {}, json: (body: ActivityState) => void states.push(body) };
      handlers[0]?.({ query: {}, acceptsLanguages: () => [language] }, response);
      return (states[0] ?? assert.fail("no answer")).entries.map(({ reason }) => reason);
    };
    assert.deepEqual(reasonsIn("en-US"), [undefined, "sender not accepted", "file not writable", undefined]);
    assert.equal(reasonsIn("de")[1], "Absender nicht erlaubt");
  });
});
