import helper from "node-red-node-test-helper";
import { ACCOUNT } from "../flow";

/** What an admin route answered. */
export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are what routes make of them.
  readonly body: any;
  readonly text: string;
}

/** Posts to one of the account's admin routes as the editor does. */
export async function ask(
  route:
    | "test"
    | "send-test"
    | "storage"
    | "queue/instances"
    | `sending/${"look" | "stop" | "go-on" | "resume"}`,
  body: object,
  id = ACCOUNT,
  type = "application/json",
): Promise<Answered> {
  const posted = helper.request().post(`/messaging-account/${id}/${route}`).type(type);
  const {
    status,
    body: answered,
    text,
  } = await posted.send(
    type === "application/json" ? JSON.stringify(body) : "config[service]=simulator&credentials[username]=me",
  );
  return { status, body: answered, text };
}
