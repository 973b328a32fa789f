import assert from "node:assert/strict";
import type { NodeAPI } from "node-red";
import { z } from "zod";
import { type OnGone, serveEditor } from "../../../../lib/runtime/admin/editor-request";

type Handler = (request: object, response: object) => void;
type Answer = (id: string, body: { n: number }, onGone: OnGone) => Promise<object>;

const guard = (permission: string): string => `guarded by ${permission}`;

/** What a route was registered with, and what it answers to a body. */
function serve(answer: Answer) {
  const registered: unknown[] = [];
  const RED = {
    httpAdmin: { post: (...parts: unknown[]) => registered.push(...parts) },
    auth: { needsPermission: guard },
  } as unknown as NodeAPI;
  serveEditor(RED, "/some/:id", "flows.write", z.object({ n: z.number() }), answer);
  /** Tells the status, the body, and what the response called when its caller leaves. */
  const ask = (body: unknown, type = "application/json") =>
    new Promise<{ answered: [status: number, body: unknown]; leave: () => void }>((resolve) => {
      let leave = (): void => {};
      let status = 200;
      const response = {
        on: (_event: string, listener: () => void) => {
          leave = listener;
        },
        status: (code: number) => {
          status = code;
          return response;
        },
        json: (given: unknown) => resolve({ answered: [status, given], leave }),
      };
      const request = { is: (wanted: string) => wanted === type, params: { id: "one" }, body };
      (registered[3] as Handler)(request, response);
    });
  return { registered, ask };
}

describe("routes of edit dialogs", () => {
  it("are for those who may deploy", () => {
    const { registered } = serve(() => Promise.resolve({}));
    assert.deepEqual([registered[0], registered[2]], ["/some/:id", "guarded by flows.write"]);
  });

  it("hand on the id and a body that fits", async () => {
    const { ask } = serve((id, body) => Promise.resolve({ id, body }));
    assert.deepEqual((await ask({ n: 1 })).answered, [200, { id: "one", body: { n: 1 } }]);
  });

  it("refuse a body that does not fit, and one that is not JSON", async () => {
    const { ask } = serve(() => assert.fail("must not be asked"));
    for (const [body, type] of [
      [{ n: "1" }, "application/json"],
      [undefined, "application/json"],
      [{ n: 1 }, "application/x-www-form-urlencoded"],
    ] as const) {
      assert.deepEqual((await ask(body, type)).answered, [400, { error: "bad-request" }]);
    }
  });

  it("say nothing of an unforeseen error, which could hold a secret", async () => {
    const { ask } = serve(() => Promise.reject(new Error("the password is hunter2")));
    assert.deepEqual((await ask({ n: 1 })).answered, [500, { error: "internal" }]);
  });

  it("tell when nobody waits any more", async () => {
    let gone = false;
    const { ask } = serve((_id, _body, onGone) => {
      onGone(() => {
        gone = true;
      });
      return Promise.resolve({});
    });
    (await ask({ n: 1 })).leave();
    assert.equal(gone, true);
  });

  it("are none where Node-RED has no admin app", () => {
    const RED = { auth: { needsPermission: guard } } as unknown as NodeAPI;
    serveEditor(RED, "/some/:id", "flows.write", z.object({}), () => Promise.resolve({}));
  });
});
