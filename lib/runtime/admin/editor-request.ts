import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { NodeAPI } from "node-red";
import type { ZodType } from "zod";
import { inLanguage } from "../../texts/say";
import { addRoute, type Permission } from "./add-route";

type Response = NodeAPI["httpAdmin"]["response"];

/** Contains no secret. A refusal has the property `error` and HTTP status 200: browsers log other statuses as faults. */
export type EditorAnswer = object;

export type OnGone = (listener: () => void) => void;

/** Runs a function in the language of the editor's request. It must be synchronous. */
export type ForReader = <Made>(make: () => Made) => Made;

/** Serves a JSON request of the editor. Another web site could make a signed-in browser post a form, but not JSON. */
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

export interface EditorFile {
  readonly type: string;
  readonly chunks: AsyncIterable<string>;
}

/** Serves a file or a refusal. A failure on the way breaks the connection, so that no part passes for the whole. */
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
    // The editor recognises a file by its disposition: a refusal has none.
    res.set({ "content-type": file.type, "content-disposition": "attachment", "cache-control": "no-store" });
    // The pipeline has ended the response after an error.
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
