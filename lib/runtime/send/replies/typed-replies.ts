import { hash } from "node:crypto";
import { MOST_LOOKED } from "../../../shared/history/history";
import { isSkipped, OUTCOMES, shownOutcome } from "../../../shared/outcomes";
import {
  REPLY_KEY,
  REPLY_LIFE,
  type ReplyForm,
  type Replied,
  type ReplyPlan,
  type ReplyState,
} from "../../../shared/history/typed-reply";
import type { Account } from "../../account/account";
import { instantOf, messageRecord } from "../../store/history/message-record";
import type { AccountStore } from "../../store/open-store";
import { newUuid } from "../new-uuid";
import { isRefusal, NodeReplies, type ReadyReply } from "./node-replies";
import { because, type Why } from "./reply-settings";

/** Runs what makes sentences, in the language of who reads them. */
type ForReader = <Made>(make: () => Made) => Made;

/** Stands for any text where it is asked which nodes can send one. */
const ANY_TEXT = ".";

/** Characters of the hashes of a place and of what was shown. */
const [PLACE, SHOWN] = [12, 22];

const hashOf = (facts: unknown, length: number): string =>
  hash("sha256", JSON.stringify(facts), "base64url").replaceAll("-", "_").slice(0, length);

/** What replies are typed in: a running account with its store. */
export interface ReplyPlace {
  readonly account: Account;
  readonly place: AccountStore;
}

/** A text to a person. */
export interface TypedText {
  /** Digits of the person, without plus. */
  readonly digits: string;
  /** Identity of the node. */
  readonly node: string;
  readonly text: string;
}

/** Stands for the account and the place of its messages. @throws StoreError */
const placeOf = async ({ place: { store, account } }: ReplyPlace): Promise<string> =>
  hashOf([account, await store.moves.place()], PLACE);

/** Key of the message in the store: it is taken at most once, whoever takes it. */
const keyOf = (id: string): string => `${REPLY_KEY}${id}`;

/** The id of a reply as its client message id: the end of it. */
const clientIdOf = (id: string): string => id.split("-").slice(2).join("-");

/**
 * Whether the store can say what it took by an id: it is not too old, and the account has not changed the place of its messages.
 * @throws StoreError
 */
async function isKnowable(where: ReplyPlace, id: string): Promise<boolean> {
  const [time = "", place] = id.split("-");
  const age = Math.abs(Date.now() - Number.parseInt(time, 36));
  return age < REPLY_LIFE && place === (await placeOf(where));
}

async function read(where: ReplyPlace, typed: TypedText, clientMessageId: string): Promise<ReadyReply | Why> {
  return (await isKnown(where, typed.digits))
    ? readBy(where, typed, clientMessageId)
    : because("send.reply.stranger");
}

async function readBy(
  { account, place }: ReplyPlace,
  { digits, node, text }: TypedText,
  clientMessageId: string,
): Promise<ReadyReply | Why> {
  const running = account.nodes.users[node];
  const replies = running === undefined ? null : NodeReplies.of(running);
  if (replies === null) {
    return because("send.reply.no-node");
  }
  if (!place.settings.keepTexts) {
    return because("send.reply.memory");
  }
  return replies.read(digits, text, clientMessageId);
}

/** Whether the account has anything of or to a person: what is typed is a reply, and not a message to whomever. @throws StoreError, Busy */
async function isKnown({ place: { store, account } }: ReplyPlace, number: string): Promise<boolean> {
  const { history } = store;
  const asked = { account, number, since: 0, most: 1, unsent: true };
  return (await history.turns.take(() => history.conversation(asked))).messages.length > 0;
}

/** Stands for all that is sent, and for whatever it is shown with. @throws StoreError, SetupError */
const shownAs = async (
  where: ReplyPlace,
  { digits, node }: TypedText,
  { request, heldUntil }: ReadyReply,
): Promise<string> => {
  const { account } = where;
  const { operation, content, rules } = request;
  const { destination, stop } = account;
  // The text is in the content; cost and sending hours are in the rules.
  const sent = [digits, node, operation, content, rules, heldUntil];
  const shown = [account.nodes.users[node]?.name, stop.isOn, destination, await placeOf(where)];
  return hashOf([...sent, ...shown], SHOWN);
};

/** The form of a reply to a person: the nodes of the account, and why one of them cannot send it. @throws StoreError */
export async function replyForm(where: ReplyPlace, digits: string, forReader: ForReader): Promise<ReplyForm> {
  const { users } = where.account.nodes;
  const known = await isKnown(where, digits);
  const found: (Omit<ReplyForm["nodes"][number], "why"> & { readonly why: Why | null })[] = [];
  for (const [node, running] of Object.entries(users)) {
    const replies = NodeReplies.of(running);
    if (replies !== null) {
      const reply = known
        ? await readBy(where, { digits, node, text: ANY_TEXT }, newUuid())
        : because("send.reply.stranger");
      const { channel } = replies;
      found.push({ node, name: running.name ?? "", channel, why: isRefusal(reply) ? reply : null });
    }
  }
  const begin = `${Date.now().toString(36)}-${await placeOf(where)}-`;
  return forReader(() => ({
    begin,
    nodes: found.map(({ why, ...node }) => ({ ...node, why: why === null ? null : why() })),
  }));
}

/** What would be sent now. Nothing is kept of it. @throws StoreError, SetupError */
export async function planReply(
  where: ReplyPlace,
  typed: TypedText,
  forReader: ForReader,
): Promise<ReplyPlan> {
  const reply = await read(where, typed, newUuid());
  if (isRefusal(reply)) {
    return forReader(() => ({ refused: reply() }));
  }
  const { account } = where;
  const { channel, sender, flash, cost, leavesAt, heldUntil } = reply;
  return {
    refused: null,
    facts: {
      number: `+${typed.digits}`,
      name: account.nodes.users[typed.node]?.name ?? "",
      channel,
      sender,
      flash,
      cost,
      leavesAt: leavesAt === null ? null : instantOf(leavesAt),
      heldUntil: heldUntil === null ? null : instantOf(heldUntil),
      stopped: account.stop.isOn,
      simulated: account.simulated,
    },
    shown: await shownAs(where, typed, reply),
  };
}

/**
 * Takes a reply into the store, from where it is sent: at most once by an id, whoever asks how often, and only what was shown.
 * @throws StoreError; `replyState` says then whether it was taken. SetupError, Busy: nothing was taken
 */
export async function takeReply(
  where: ReplyPlace,
  typed: TypedText & { readonly id: string; readonly shown: string },
  forReader: ForReader,
): Promise<Replied> {
  const { account } = where;
  const found = await account.replies.take(() => take(where, typed));
  if (found === "taken") {
    // It is in the store: whatever fails now, it is sent.
    await account.sending.sendStored().catch(() => {});
  }
  return typeof found === "function" ? forReader(() => ({ what: "refused", why: found() })) : { what: found };
}

async function take(
  where: ReplyPlace,
  { id, shown, ...typed }: TypedText & { readonly id: string; readonly shown: string },
): Promise<"taken" | "earlier" | Why> {
  const { store, account, instances } = where.place;
  const key = keyOf(id);
  if ((await store.jobs.known([key])).has(key)) {
    return "earlier";
  }
  if (!(await isKnowable(where, id))) {
    return because("send.reply.old");
  }
  const reply = await read(where, typed, clientIdOf(id));
  if (isRefusal(reply)) {
    return reply;
  }
  if (shown !== (await shownAs(where, typed, reply)) || !reply.isCurrent()) {
    return because("send.reply.changed");
  }
  await store.jobs.take({ key, account, resultOwner: instances.id, ...reply.job }, [reply.request]);
  // Another process may have taken it at the same time.
  return (await store.jobs.known([key])).get(key) === instances.id ? "taken" : "earlier";
}

/** What became of a reply. @throws StoreError */
export async function replyState(where: ReplyPlace, id: string, forReader: ForReader): Promise<ReplyState> {
  const { store, account } = where.place;
  const key = keyOf(id);
  if (!(await store.jobs.known([key])).has(key)) {
    const taken = (await isKnowable(where, id)) ? false : null;
    return { taken, state: null, outcome: null, text: "" };
  }
  const filter = { account, clientMessageId: clientIdOf(id) };
  const { entries } = await store.history.look(filter, null, 1, MOST_LOOKED);
  const [entry] = entries;
  if (entry === undefined) {
    return { taken: true, state: null, outcome: null, text: "" };
  }
  return forReader(() => {
    const { state, outcome, statusName, statusMessage, advice, meaning } = messageRecord(entry);
    const isBad = outcome !== null && (OUTCOMES[outcome].failure || isSkipped(statusName));
    return {
      taken: true,
      state,
      outcome: outcome === null ? null : shownOutcome(outcome, statusName),
      text: isBad ? [statusMessage ?? meaning, advice ?? ""].join(" ").trim() : "",
    };
  });
}
