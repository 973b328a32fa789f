import type { AnswerWriter } from "./answer-writers";
import type { StatusCode } from "./codes";
import type { CheckContext } from "../rules/field-rules";
import type { FieldRule, Fields, Refusal } from "../rules/field-rules";
import type { Inventory } from "../inventory/inventory";
import type { ParsedMessage } from "../messages/records";
import type { Reply } from "./reply";
import type { TokenStore } from "../sign-in/token-store";

export function clientMessageIdOf({ clientMessageId: id }: Fields): string | null {
  return typeof id === "string" ? id : null;
}

export function messageFrom(
  fields: Fields,
  own: Pick<ParsedMessage, "channel" | "recipients" | "content"> & Partial<ParsedMessage>,
): ParsedMessage {
  const clientMessageId = clientMessageIdOf(fields);
  return { clientMessageId, segmentsPerRecipient: 1, test: fields.test === true, ...own };
}

export type MessageRule = (message: ParsedMessage, fields: Fields, context: CheckContext) => Refusal | null;

export interface AnswerContext {
  readonly inventory: Inventory;
  readonly tokens: TokenStore;
  readonly tokenLifetime: number;
}

export type Action =
  | {
      readonly kind: "send";
      readonly parseMessage: (fields: Fields, context: CheckContext) => ParsedMessage;
      readonly rules: readonly MessageRule[];
    }
  | {
      readonly kind: "answer";
      /** Called once for each accepted request, also if a fault replaces the answer. */
      readonly reply: (fields: Fields, context: AnswerContext) => Reply;
    };

export type AuthStyle = "legacy" | "client" | "bearer";

export interface Endpoint {
  readonly id: string;
  readonly method: "GET" | "POST";
  /** `{name}` stands for one segment, which becomes a parameter. */
  readonly path: string;
  readonly auth: AuthStyle;
  readonly scope: string | null;
  readonly encoding: "query" | "form" | "form-or-query" | "json" | "multipart";
  readonly charset: "iso-8859-1" | "utf-8";
  /** Status codes of the endpoint; the recipient 99900CCCC causes one of them. */
  readonly codes: ReadonlyMap<number, StatusCode>;
  readonly fields: readonly FieldRule[];
  readonly write: AnswerWriter;
  readonly action: Action;
}
