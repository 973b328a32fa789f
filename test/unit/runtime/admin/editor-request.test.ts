import assert from "node:assert/strict";
import type { NodeAPI } from "node-red";
import { z } from "zod";
import { type OnGone, serveEditor } from "../../../../lib/runtime/admin/editor-request";

type Handler = (request: object, response: object) => void;
type Answer = (id: string, body: { n: number }, onGone: OnGone) => Promise<object>;

const guard = (permission: string): string => `guarded by ${permission}`;

/** What a route was registered with, and what it answers to a body. */
function serve(answer: Answer): {
  registered: unknown[];
  ask: (body: unknown, type?: string) => Promise<{ status: number; body: unknown; leave: () => void }>;
} {
  const registered: unknown[] = [];
  const RED = {
    httpAdmin: { post: (...parts: unknown[]) => registered.push(...parts) },
    auth: { needsPermission: guard },
  } as unknown as NodeAPI;
  serveEditor(RED, "/some/:id", z.object({ n: z.number() }), answer);
  return {
    registered,
    ask: (body, type = "application/json") =>
      new Promise((resolve) => {
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
          json: (answered: unknown) => resolve({ status, body: answered, leave }),
        };
        const request = { is: (wanted: string) => wanted === type, params: { id: "one" }, body };
        (registered[2] as Handler)(request, response);
      }),
  };
}

describe("routes of edit dialogs", () => {
  it("are for those who may deploy", () => {
    const { registered } = serve(() => Promise.resolve({}));
    assert.deepEqual(registered.slice(0, 2), ["/some/:id", "guarded by flows.write"]);
  });

  it("hand on the id and a body that fits", async () => {
    const { ask } = serve((id, body) => Promise.resolve({ id, body }));
    const { status, body } = await ask({ n: 1 });
    assert.deepEqual([status, body], [200, { id: "one", body: { n: 1 } }]);
  });

  it("refuse a body that does not fit, and one that is not JSON", async () => {
    const { ask } = serve(() => assert.fail("must not be asked"));
    for (const [body, type] of [
      [{ n: "1" }, "application/json"],
      [undefined, "application/json"],
      [{ n: 1 }, "application/x-www-form-urlencoded"],
    ] as const) {
      const answered = await ask(body, type);
      assert.deepEqual([answered.status, answered.body], [400, { error: "bad-request" }]);
    }
  });

  it("say nothing of an unforeseen error, which could hold a secret", async () => {
    const { ask } = serve(() => Promise.reject(new Error("the password is hunter2")));
    const { status, body } = await ask({ n: 1 });
    assert.deepEqual([status, body], [500, { error: "internal" }]);
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
    serveEditor(RED, "/some/:id", z.object({}), () => Promise.resolve({}));
  });
});
