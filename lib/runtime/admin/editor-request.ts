import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { NodeAPI } from "node-red";
import type { ZodType } from "zod";
import { addRoute, type Permission } from "./add-route";

type Response = NodeAPI["httpAdmin"]["response"];

/**
 * The response body; it contains no secret. A refusal for the user to read has the property `error` and HTTP status 200,
 * because browsers log other statuses as faults.
 */
export type EditorAnswer = object;

/** Registers a listener for the moment when the editor closes the request. */
export type OnGone = (listener: () => void) => void;

/**
 * Serves one request of a dialog or of the sidebar. The body must be JSON: another web site could make a signed-in user's browser post a
 * form here, but not JSON.
 * @param path contains `:id`, which `answer` receives
 */
export function serveEditor<Body>(
  RED: NodeAPI,
  path: string,
  permission: Permission,
  schema: ZodType<Body>,
  answer: (id: string, body: Body, onGone: OnGone) => Promise<EditorAnswer>,
): void {
  onPost(RED, path, permission, schema, async (id, body, res) => {
    res.json(await answer(id, body, (listener) => res.on("close", listener)));
  });
}

/** A file that is written while it is read. */
export interface EditorFile {
  /** Content type. */
  readonly type: string;
  readonly chunks: AsyncIterable<string>;
}

/**
 * Serves one file for download, or a refusal as `serveEditor` does. A caller who leaves, or reads slowly, ends or slows down the reading. A
 * failure on the way breaks the connection, so that nobody takes a part for the whole.
 */
export function serveEditorFile<Body>(
  RED: NodeAPI,
  path: string,
  permission: Permission,
  schema: ZodType<Body>,
  open: (id: string, body: Body) => Promise<EditorFile | { readonly error: string }>,
): void {
  onPost(RED, path, permission, schema, async (id, body, res) => {
    const file = await open(id, body);
    if ("error" in file) {
      res.json(file);
      return;
    }
    // The editor knows a file by its disposition: a refusal has none.
    res.set({ "content-type": file.type, "content-disposition": "attachment", "cache-control": "no-store" });
    // The pipeline has ended the response where this fails.
    await pipeline(Readable.from(file.chunks), res).catch(() => {});
  });
}

function onPost<Body>(
  RED: NodeAPI,
  path: string,
  permission: Permission,
  schema: ZodType<Body>,
  answer: (id: string, body: Body, res: Response) => Promise<void>,
): void {
  addRoute(RED, "post", path, permission, (req, res) => {
    const parsed = req.is("application/json") ? schema.safeParse(req.body) : null;
    if (!parsed?.success) {
      res.status(400).json({ error: "bad-request" });
      return;
    }
    answer(String(req.params.id), parsed.data, res).catch(() => {
      // The text of an unexpected error could contain a secret.
      res.status(500).json({ error: "internal" });
    });
  });
}
