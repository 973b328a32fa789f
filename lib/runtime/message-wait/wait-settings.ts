import {
  OTHER_REPLIES,
  type OtherReplies,
  REPLY_CHANNELS,
  REPLY_MATCHES,
  type ReplyChannel,
  WAIT_KINDS,
  type WaitKind,
  waitPorts,
} from "../../shared/fields/wait-fields";
import { SetupError } from "../../shared/messaging-error";
import { sanitiseText } from "../../shared/sanitise-text";
import { ReplyWords, type ReplyWordsFault } from "../../shared/words/reply-words";
import { wordOutputs } from "../../shared/words/word-outputs";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import type { FieldConfig } from "../fields/compile-field";
import { readChoice, readText } from "../node-red/read-settings";
import { replyPattern } from "./reply-pattern";

export interface WaitConfig extends FieldConfig {
  readonly account: string;
  readonly kind: string;
  readonly replyChannel: string;
  readonly match: string;
  readonly words: string;
  readonly pattern: string;
  readonly others: string;
  readonly perWord: boolean;
  readonly outputs: number;
  /** Path without `msg.` of the send node's result. */
  readonly resultProperty: string;
  /** Path without `msg.` of the report. */
  readonly waitProperty: string;
}

export interface WaitSettings {
  readonly kind: WaitKind;
  readonly replyChannel: ReplyChannel;
  readonly words: ReplyWords;
  readonly isMeant: (text: string) => boolean;
  readonly others: OtherReplies;
  readonly wordOutputs: readonly string[];
  readonly isAny: boolean;
  readonly ports: number;
}

const readWord = <Word extends string>(words: readonly Word[], value: unknown): Word =>
  readChoice(words, value, () => say("waits.choice", { value: quoteValue(value), words: words.join(", ") }));

function toProblem(wrong: ReplyWordsFault): string {
  return wrong.setting === "words"
    ? say(`waits.words.${wrong.fault}`, { value: "entry" in wrong ? quoteValue(wrong.entry) : "" })
    : say(`waits.pattern.${wrong.fault}`, {
        reason: "reason" in wrong ? sanitiseText(wrong.reason, 100) : "",
      });
}

function readReplies({ match, words, pattern }: WaitConfig): ReplyWords {
  const read = ReplyWords.read({
    match: readWord(REPLY_MATCHES, match),
    words: readText(say("waits.setting.words"), words),
    pattern: readText(say("waits.setting.pattern"), pattern),
  });
  if (!read.ok) {
    throw new SetupError("BAD_SETTING", toProblem(read));
  }
  return read.words;
}

/** The editor makes one output for words in a variable, so the number of outputs can differ. */
function wordsWithOutputs(config: WaitConfig): readonly string[] {
  const words = wordOutputs(config);
  const { kind, match, others, outputs } = config;
  return outputs === waitPorts(kind, match, others, words.length) ? words : [];
}

/** @throws SetupError BAD_SETTING, UNRESOLVED_VARIABLE */
export function readWaitSettings(config: WaitConfig): WaitSettings {
  const kind = readWord(WAIT_KINDS, config.kind);
  const isReply = kind === "reply";
  const others = isReply ? readWord(OTHER_REPLIES, config.others) : OTHER_REPLIES[0];
  const outputsOfWords = wordsWithOutputs(config);
  const words = readReplies(isReply ? config : { ...config, match: "any", words: "", pattern: "" });
  return {
    kind,
    replyChannel: isReply ? readWord(REPLY_CHANNELS, config.replyChannel) : "any",
    words,
    isMeant: words.pattern === null ? (text) => words.find(text) !== null : replyPattern(words.pattern),
    others,
    wordOutputs: outputsOfWords,
    isAny: isReply && config.match === "any",
    ports: waitPorts(kind, config.match, others, outputsOfWords.length),
  };
}
