import assert from "node:assert/strict";
import { Writable } from "node:stream";
import type { NodeAPI } from "node-red";
import { z } from "zod";
import {
  type EditorFile,
  type ForReader,
  type OnGone,
  serveEditor,
  serveEditorFile,
} from "../../../../lib/runtime/admin/editor-request";

type Handler = (request: object, response: object) => void;
type Answer = (id: string, body: { n: number }, onGone: OnGone, forReader: ForReader) => Promise<object>;

/** Has a route added, and notes what it is registered with: path, guard and handler. */
function added(add: (RED: NodeAPI) => void): readonly [path: unknown, guard: unknown, handle: Handler] {
  let found: readonly [unknown, unknown, Handler] = ["", "", () => {}];
  const RED = {
    httpAdmin: {
      post: (path: unknown, _pages: unknown, guard: unknown, handle: Handler) => {
        found = [path, guard, handle];
      },
    },
    auth: { needsPermission: (permission: unknown) => permission },
  } as unknown as NodeAPI;
  add(RED);
  return found;
}
const schema = z.object({ n: z.number() });

/** A route, and what it answers to a body. */
function serve(answer: Answer, languages: readonly string[] = []) {
  const [path, guard, handle] = added((RED) => serveEditor(RED, "/some/:id", "one.write", schema, answer));
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
      handle(
        {
          is: (wanted: string) => wanted === type,
          acceptsLanguages: () => languages,
          params: { id: "one" },
          body,
        },
        response,
      );
    });
  return { path, guard, ask };
}

describe("routes of edit dialogs", () => {
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

  it("hides the text of an unexpected error, which could contain a secret", async () => {
    const { ask } = serve(() => Promise.reject(new Error("the password is hunter2")));
    assert.deepEqual((await ask({ n: 1 })).answered, [500, { error: "internal" }]);
  });
});

type Open = Parameters<typeof serveEditorFile<{ n: number }>>[4];

/** A response that keeps what is written into it. */
class Response extends Writable {
  text = "";
  body: unknown;
  code = 200;
  headers: Record<string, string> = {};

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    setImmediate(done);
  }
  set(headers: Record<string, string>): void {
    this.headers = headers;
  }
  status(code: number): this {
    this.code = code;
    return this;
  }
  json(body: unknown): void {
    this.body = body;
    this.end();
  }
}

const PERMISSIONS = ["one.read", "two.write"];

/** Asks a route for a file. */
async function askFile(
  open: Open,
  body: unknown = { n: 1 },
  response = new Response({ highWaterMark: 1 }),
): Promise<Response> {
  const [, guard, handle] = added((RED) => serveEditorFile(RED, "/some/:id", PERMISSIONS, schema, open));
  assert.equal(guard, PERMISSIONS);
  const closed = new Promise<void>((resolve) => response.once("close", resolve));
  handle({ is: () => true, acceptsLanguages: () => [], params: { id: "one" }, body }, response);
  await closed;
  return response;
}

const fileOf = (chunks: () => AsyncIterable<string>) => async (): Promise<EditorFile> => ({
  type: "text/plain",
  chunks: chunks(),
});

describe("files for the editor", () => {
  it("breaks the connection when reading fails, so that no part passes for the whole", async () => {
    const response = await askFile(
      fileOf(async function* () {
        yield "one";
        throw new Error("the disk is gone");
      }),
    );
    assert.equal(response.text, "one");
    assert.equal(response.writableFinished, false);
    assert.equal(response.destroyed, true);
  });

  it("refuses in JSON, without the text of an unexpected error", async () => {
    assert.deepEqual((await askFile(() => Promise.resolve({ error: "gone" }))).body, { error: "gone" });
    const failed = await askFile(() => Promise.reject(new Error("a secret")));
    assert.deepEqual([failed.code, failed.body], [500, { error: "internal" }]);
    const wrong = await askFile(() => assert.fail("must not be asked"), { n: "1" });
    assert.deepEqual([wrong.code, wrong.body], [400, { error: "bad-request" }]);
  });
});
