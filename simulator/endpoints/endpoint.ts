import type { AnswerWriter } from "./answer-writers";
import type { StatusCode } from "./codes";
import type { CheckContext } from "../rules/check-context";
import type { FieldRule, Fields, Refusal } from "../rules/field-rules";
import type { Inventory } from "../inventory/inventory";
import type { Channel } from "../messages/channel";
import type { Reply } from "./reply";
import type { TokenStore } from "../sign-in/token-store";

/** A message parsed from a request, before it is accepted. */
export interface ParsedMessage {
  readonly channel: Channel;
  /** As given in the request, with or without plus. */
  readonly recipients: readonly string[];
  /** The text; for a template the text with values, empty for RCS messages without text. */
  readonly content: string;
  readonly clientMessageId: string | null;
  /** SMS segments for each recipient; 1 for other channels. */
  readonly segmentsPerRecipient: number;
  /** True if the request had the parameter `test`: answered like a send, without sending. */
  readonly test: boolean;
}

/** The `clientMessageId` of checked parameters; null for none. */
export function clientMessageIdOf({ clientMessageId: id }: Fields): string | null {
  return typeof id === "string" ? id : null;
}

/** A message of checked parameters; `own` is what the endpoint itself reads. */
export function messageFrom(
  fields: Fields,
  own: Pick<ParsedMessage, "channel" | "recipients" | "content"> & Partial<ParsedMessage>,
): ParsedMessage {
  const clientMessageId = clientMessageIdOf(fields);
  return { clientMessageId, segmentsPerRecipient: 1, test: fields.test === true, ...own };
}

/** A rule across several parameters; null if it is kept. */
export type MessageRule = (message: ParsedMessage, fields: Fields, context: CheckContext) => Refusal | null;

/** What an endpoint that sends no message uses for its answer. */
export interface AnswerContext {
  readonly inventory: Inventory;
  readonly tokens: TokenStore;
  /** Lifetime of bearer tokens in seconds. */
  readonly tokenLifetime: number;
}

/** What an endpoint does with checked parameters: it sends a message, or it builds its own answer. */
export type Action =
  | {
      readonly kind: "send";
      readonly parseMessage: (fields: Fields, context: CheckContext) => ParsedMessage;
      /** In order. */
      readonly rules: readonly MessageRule[];
    }
  | {
      readonly kind: "answer";
      /** Called once for each accepted request, also if a fault replaces the answer. */
      readonly reply: (fields: Fields, context: AnswerContext) => Reply;
    };

/** Required credentials: those of the legacy account, those of the OAuth client, or a bearer token with a scope. */
export type AuthStyle = "legacy" | "client" | "bearer";

/** One endpoint of the service as data. */
export interface Endpoint {
  /** Name of the operation in logs and fault rules. */
  readonly id: string;
  readonly method: "GET" | "POST";
  /** `{name}` stands for one segment, which becomes a parameter. */
  readonly path: string;
  readonly auth: AuthStyle;
  /** Required scope of a bearer token; null for other credentials. */
  readonly scope: string | null;
  /** Encoding of the parameters: `query` has no body, `form-or-query` uses both, `multipart` contains a file. */
  readonly encoding: "query" | "form" | "form-or-query" | "json" | "multipart";
  /** Character set that a client may declare. */
  readonly charset: "iso-8859-1" | "utf-8";
  /** Status codes of the endpoint; the recipient 99900CCCC causes one of them. */
  readonly codes: ReadonlyMap<number, StatusCode>;
  readonly fields: readonly FieldRule[];
  readonly write: AnswerWriter;
  readonly action: Action;
}
