import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { NodeAPI } from "node-red";
import type { ZodType } from "zod";
import { inLanguage } from "../../texts/say";
import { addRoute, type Permission } from "./add-route";

type Response = NodeAPI["httpAdmin"]["response"];

/**
 * The response body; it contains no secret. A refusal for the user to read has the property `error` and HTTP status 200,
 * because browsers log other statuses as faults.
 */
export type EditorAnswer = object;

/** Registers a listener for the moment when the editor closes the request. */
export type OnGone = (listener: () => void) => void;

/** Runs what makes sentences, in the language of the editor that asked. It may not wait for anything. */
export type ForReader = <Made>(make: () => Made) => Made;

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
  answer: (id: string, body: Body, onGone: OnGone, forReader: ForReader) => Promise<EditorAnswer>,
): void {
  onPost(RED, path, permission, schema, async (id, body, res, language) => {
    const forReader: ForReader = (make) => inLanguage(language, make);
    res.json(await answer(id, body, (listener) => res.on("close", listener), forReader));
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
  answer: (id: string, body: Body, res: Response, language: string) => Promise<void>,
): void {
  addRoute(RED, "post", path, permission, (req, res) => {
    const parsed = req.is("application/json") ? schema.safeParse(req.body) : null;
    if (!parsed?.success) {
      res.status(400).json({ error: "bad-request" });
      return;
    }
    // Of several languages that a browser names, the first one.
    const [language = ""] = req.acceptsLanguages();
    answer(String(req.params.id), parsed.data, res, language).catch(() => {
      // The text of an unexpected error could contain a secret.
      res.status(500).json({ error: "internal" });
    });
  });
}
