import type { NodeAPI } from "node-red";
import type { ZodType } from "zod";

/**
 * What the editor gets back; holds no secret. A refusal that people are to read about says so in `error`, with a
 * status of success all the same: a browser writes every other one into its console as a fault.
 */
export type EditorAnswer = object;

/** Told when nobody waits for the answer any more. */
export type OnGone = (listener: () => void) => void;

/**
 * Serves one request of an edit dialog, for those who may deploy. Only JSON is taken: a form of another web site
 * could be sent here by the browser of somebody who is signed in, JSON could not.
 * @param path with `:id`, which is handed on
 */
export function serveEditor<Body>(
  RED: NodeAPI,
  path: string,
  schema: ZodType<Body>,
  answer: (id: string, body: Body, onGone: OnGone) => Promise<EditorAnswer>,
): void {
  // Without an admin app there is no editor to ask.
  if (typeof RED.httpAdmin?.post !== "function") {
    return;
  }
  RED.httpAdmin.post(path, RED.auth.needsPermission("flows.write"), (req, res) => {
    const parsed = req.is("application/json") ? schema.safeParse(req.body) : null;
    if (!parsed?.success) {
      res.status(400).json({ error: "bad-request" });
      return;
    }
    void answer(String(req.params.id), parsed.data, (listener) => res.on("close", listener)).then(
      (body) => res.json(body),
      // Whatever an unforeseen error says could hold a secret.
      () => res.status(500).json({ error: "internal" }),
    );
  });
}
