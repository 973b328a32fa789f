import type { NodeAPI } from "node-red";
import { z, type ZodType } from "zod";
import { READ_CONVERSATIONS } from "../../shared/history/conversation-message";
import { type HistoryAction, READ_HISTORY, WRITE_QUEUE } from "../../shared/history/history";
import { E164 } from "../../shared/recipients/phone-number";
import { LONGEST_REPLY } from "../../shared/history/typed-reply";
import { planReply, replyForm, type ReplyPlace, replyState, takeReply } from "../send/replies/typed-replies";
import type { EditorAnswer, ForReader } from "./editor-request";
import { serveStore } from "./store-request";

/** It is typed where texts are read, and sent as what only some may change. */
const PERMISSIONS = [READ_HISTORY, READ_CONVERSATIONS, WRITE_QUEUE];

/** As the conversation says it: with the digits that were typed, another person could be meant. */
const number = z.string().regex(E164);
/** The begin that the form got, and a UUID. */
const id = z.string().regex(/^[0-9a-z]{8,9}-\w{12}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const form = z.strictObject({ number });
const plan = z.strictObject({
  number,
  node: z.string().min(1).max(1_000),
  text: z.string().max(LONGEST_REPLY).regex(/\S/),
});
const reply = plan.extend({ id, shown: z.string().min(1).max(100) });
const state = z.strictObject({ id });

const digitsOf = (e164: string): string => e164.slice(1);

/** Serves the form of a typed reply to the sidebar. */
export function serveReplies(RED: NodeAPI): void {
  const serve = <Body>(
    action: HistoryAction,
    schema: ZodType<Body>,
    use: (where: ReplyPlace, body: Body, forReader: ForReader) => Promise<EditorAnswer>,
  ): void =>
    serveStore(
      RED,
      `/messaging-account/:id/history/${action}`,
      PERMISSIONS,
      schema,
      (place, body, account, forReader) => use({ account, place }, body, forReader),
    );
  serve("reply-nodes", form, (where, asked, forReader) =>
    replyForm(where, digitsOf(asked.number), forReader),
  );
  serve("plan-reply", plan, (where, { number: to, ...typed }, forReader) =>
    planReply(where, { ...typed, digits: digitsOf(to) }, forReader),
  );
  serve("reply", reply, (where, { number: to, ...typed }, forReader) =>
    takeReply(where, { ...typed, digits: digitsOf(to) }, forReader),
  );
  serve("reply-state", state, (where, asked, forReader) => replyState(where, asked.id, forReader));
}
