import {
  LONGEST_SHOWN,
  MOST_MESSAGES,
  MOST_PEOPLE,
  MOST_TEMPLATES,
  type PanelCard,
  type PanelMessage,
  type PanelReply,
  type PanelSuggestion,
  type SimulatorView,
} from "../../shared/simulator-panel";
import { excerpt } from "../../shared/excerpt";
import { STATUS_CODES } from "../../shared/outcomes";
import { maskNumber } from "../../shared/recipients/mask-number";
import { reasonWords } from "../../texts/short-reason";
import { channelOf, type SimulatorAccount, type SimulatorMessage } from "./simulator-account";

type Suggestion = PanelSuggestion & { readonly card: number | null };

export function viewOf(account: SimulatorAccount, withTexts: boolean): SimulatorView {
  const { messages, received, webhooks } = account;
  return {
    messages: newest(messages).map((message) => sent(account, message, withTexts)),
    replies: newest(received).map((reply) => heard(reply, withTexts)),
    nextAnswer: getNextAnswer(account),
    answers: answers(),
    templates: account.templates
      .slice(-MOST_TEMPLATES)
      .map(({ templateName: name, templateLocale: locale }) => ({ name, locale })),
    hears: {
      inbound: webhooks.some(({ kind }) => kind === "inbound"),
      status: webhooks.some(({ kind }) => kind === "status"),
    },
  };
}

function answers(): SimulatorView["answers"] {
  const names = new Map<number, Set<string>>();
  for (const { code, name } of STATUS_CODES) {
    names.set(code, (names.get(code) ?? new Set()).add(name));
  }
  return [...names]
    .sort(([one], [other]) => one - other)
    .map(([code, all]) => {
      const words = [...new Set([...all].flatMap((name) => reasonWords(name) ?? []))].join(" / ");
      const named = `${code} ${[...all].join(" / ")}`;
      return { code, words: words === "" ? named : `${words} (${named})` };
    });
}

const newest = <Entry>(log: readonly Entry[]): readonly Entry[] => log.slice(-MOST_MESSAGES).reverse();
const shortened = (text: string): string => excerpt(text, LONGEST_SHOWN);
const complete = (number: string | undefined): string => (number ?? "").replace(/^(?=\d)/, "+");

function sent(account: SimulatorAccount, message: SimulatorMessage, withText: boolean): PanelMessage {
  const { transferId, at, channel, recipients, content, fields, test } = message;
  const suggestions = withText ? getSuggestions(account, transferId) : [];
  return {
    transferId,
    at,
    channel: channelOf(channel),
    spoken: channel === "voice",
    who: maskNumber(recipients[0]),
    number: withText ? complete(recipients[0]) : null,
    count: recipients.length,
    people: withText && recipients.length > 1 ? recipients.slice(0, MOST_PEOPLE).map(complete) : [],
    text: withText ? shortened(content) : null,
    cards: withText ? cardsIn(fields, suggestions) : [],
    suggestions: suggestions.filter(({ card }) => card === null).map(withoutCard),
    test,
  };
}

function heard(reply: SimulatorAccount["received"][number], withText: boolean): PanelReply {
  const { at, channel, sender, content, mediaId, tapped } = reply;
  return {
    at,
    channel: channelOf(channel),
    who: maskNumber(sender),
    number: withText ? complete(sender) : null,
    text: withText ? shortened(content) : null,
    picture: mediaId !== null,
    tapped: tapped !== null,
  };
}

function getSuggestions(account: SimulatorAccount, transferId: string): readonly Suggestion[] {
  return account.suggestions(transferId).map(({ displayText, kind, action, target, data, card }, index) => ({
    index,
    text: displayText,
    kind,
    action,
    target,
    heard: data !== null,
    card,
  }));
}

const withoutCard = ({ card: _card, ...suggestion }: Suggestion): PanelSuggestion => suggestion;

interface Card {
  readonly title?: string;
  readonly description?: string;
  readonly media?: object;
}

interface RichCards {
  readonly generalPurposeCard?: { readonly content?: Card };
  readonly generalPurposeCardCarousel?: { readonly content?: readonly Card[] };
}

function cardsIn(
  { rcsPayload }: SimulatorMessage["fields"],
  suggestions: readonly Suggestion[],
): readonly PanelCard[] {
  const payload = rcsPayload as { RCSMessage?: { richcardMessage?: { message?: RichCards } } } | undefined;
  const { generalPurposeCard: single, generalPurposeCardCarousel: carousel } =
    payload?.RCSMessage?.richcardMessage?.message ?? {};
  const contents = single === undefined ? (carousel?.content ?? []) : [single.content ?? {}];
  return contents.map(({ title = "", description = "", media }, at) => ({
    title,
    description,
    picture: media !== undefined,
    suggestions: suggestions.filter(({ card }) => card === at).map(withoutCard),
  }));
}

function getNextAnswer({ faultPlan }: SimulatorAccount): number | null {
  for (const { rule } of faultPlan) {
    const { statusCode } = rule.answer as { statusCode?: unknown };
    if (typeof statusCode === "number") {
      return statusCode;
    }
  }
  return null;
}
