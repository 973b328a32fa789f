import type { NodeAPI } from "node-red";
import type { ZodType } from "zod";

/**
 * The response body; it contains no secret. A refusal for the user to read has the property `error` and HTTP status 200,
 * because browsers log other statuses as faults.
 */
export type EditorAnswer = object;

/** Registers a listener for the moment when the editor closes the request. */
export type OnGone = (listener: () => void) => void;

/**
 * Serves one request of an edit dialog, for users with permission to deploy. The body must be JSON: another web site could
 * make a signed-in user's browser post a form here, but not JSON.
 * @param path contains `:id`, which `answer` receives
 */
export function serveEditor<Body>(
  RED: NodeAPI,
  path: string,
  schema: ZodType<Body>,
  answer: (id: string, body: Body, onGone: OnGone) => Promise<EditorAnswer>,
): void {
  // Without an admin app there is no editor.
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
      // The text of an unexpected error could contain a secret.
      () => res.status(500).json({ error: "internal" }),
    );
  });
}
