import assert from "node:assert/strict";
import { Writable } from "node:stream";
import type { NodeAPI } from "node-red";
import { z } from "zod";
import { type EditorFile, serveEditorFile } from "../../../../lib/runtime/admin/editor-request";

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

/** Asks a route for a file. */
async function ask(open: Open, body: unknown = { n: 1 }): Promise<Response> {
  let handle: (request: object, response: object) => void = () => {};
  const RED = {
    httpAdmin: {
      post: (_path: string, _pages: unknown, guard: unknown, handler: typeof handle) => {
        assert.deepEqual(guard, ["one.read", "two.write"]);
        handle = handler;
      },
    },
    auth: { needsPermission: (permission: unknown) => permission },
  } as unknown as NodeAPI;
  serveEditorFile(RED, "/some/:id", ["one.read", "two.write"], z.object({ n: z.number() }), open);
  const response = new Response({ highWaterMark: 1 });
  const closed = new Promise<void>((resolve) => response.once("close", resolve));
  handle({ is: () => true, params: { id: "one" }, body }, response);
  await closed;
  return response;
}

const fileOf = (chunks: AsyncIterable<string>): EditorFile => ({ type: "text/plain", chunks });

describe("files for the editor", () => {
  it("are written while they are read, and known by their disposition", async () => {
    const response = await ask(() =>
      Promise.resolve(
        fileOf(
          (async function* () {
            yield "one ";
            yield "two";
          })(),
        ),
      ),
    );
    assert.equal(response.text, "one two");
    assert.equal(response.writableFinished, true);
    assert.deepEqual(response.headers, {
      "content-type": "text/plain",
      "content-disposition": "attachment",
      "cache-control": "no-store",
    });
  });

  it("are broken off where reading fails, so that a part is not taken for the whole", async () => {
    const response = await ask(() =>
      Promise.resolve(
        fileOf(
          (async function* () {
            yield "one";
            throw new Error("the disk is gone");
          })(),
        ),
      ),
    );
    assert.equal(response.text, "one");
    assert.equal(response.writableFinished, false);
    assert.equal(response.destroyed, true);
  });

  it("are refused in JSON, without a word of an unforeseen error", async () => {
    assert.deepEqual((await ask(() => Promise.resolve({ error: "gone" }))).body, { error: "gone" });
    const failed = await ask(() => Promise.reject(new Error("a secret")));
    assert.deepEqual([failed.code, failed.body], [500, { error: "internal" }]);
    const wrong = await ask(() => assert.fail("must not be asked"), { n: "1" });
    assert.deepEqual([wrong.code, wrong.body], [400, { error: "bad-request" }]);
  });

  it("are read no further when the caller has left", async () => {
    let read = 0;
    let ended = false;
    let leave = (): void => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    class Leaving extends Response {
      override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
        this.destroy();
        done();
        leave();
      }
    }
    let handle: (request: object, response: object) => void = () => {};
    const RED = {
      httpAdmin: {
        post: (_path: string, _pages: unknown, _guard: unknown, handler: typeof handle) => {
          handle = handler;
        },
      },
      auth: { needsPermission: () => null },
    } as unknown as NodeAPI;
    const done = new Promise<void>((resolve) => {
      serveEditorFile(RED, "/some/:id", "one.read", z.object({}), () =>
        Promise.resolve(
          fileOf(
            (async function* () {
              try {
                for (;;) {
                  read++;
                  yield "x".repeat(100_000);
                }
              } finally {
                ended = true;
                resolve();
              }
            })(),
          ),
        ),
      );
    });
    handle({ is: () => true, params: { id: "one" }, body: {} }, new Leaving());
    await left;
    await done;
    assert.equal(ended, true);
    assert.ok(read < 50, `${read} chunks were read for nobody`);
  });
});
