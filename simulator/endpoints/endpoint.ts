import type { AnswerWriter } from "./answer-writers";
import type { StatusCode } from "./codes";
import type { CheckContext } from "../rules/check-context";
import type { FieldRule, Fields, Refusal } from "../rules/field-rules";
import type { Inventory } from "../inventory/inventory";
import type { Channel } from "../messages/channel";
import type { Reply } from "./reply";
import type { TokenStore } from "../sign-in/token-store";

/** A message as an endpoint understood it, before it is accepted. */
export interface Draft {
  readonly channel: Channel;
  /** As they were sent, with or without the plus. */
  readonly recipients: readonly string[];
  /** The text; of a template what its recipient reads, of RCS without a text message nothing. */
  readonly content: string;
  readonly clientMessageId: string | null;
  /** SMS that each recipient gets; 1 for everything that is no SMS. */
  readonly segmentsPerRecipient: number;
  /** True: answered like a real send, but nothing would go out. */
  readonly test: boolean;
}

/** What an endpoint that sends nothing may use for its answer. */
export interface AnswerContext {
  readonly inventory: Inventory;
  readonly tokens: TokenStore;
  /** Seconds. */
  readonly tokenLifetime: number;
}

/** What an endpoint does with checked parameters: it sends a message, or it answers by itself. */
export type Action =
  | {
      readonly kind: "send";
      readonly draft: (fields: Fields, facts: CheckContext) => Draft;
      /** Rules that concern several parameters at once, in order. */
      readonly rules: readonly ((draft: Draft, fields: Fields, facts: CheckContext) => Refusal | null)[];
    }
  | {
      readonly kind: "answer";
      /** Called once for each request that is accepted, whether or not its answer goes out. */
      readonly reply: (fields: Fields, context: AnswerContext) => Reply;
    };

/** Who must prove what: the account's legacy credentials, the OAuth client, or a bearer token with a scope. */
export type AuthStyle = "legacy" | "client" | "bearer";

/** One endpoint of the service as data. */
export interface Endpoint {
  /** Name of the operation in logs and fault rules. */
  readonly id: string;
  readonly method: "GET" | "POST";
  /** `{name}` stands for one segment, which becomes the parameter of that name. */
  readonly path: string;
  readonly auth: AuthStyle;
  /** Scope that a bearer token needs; null for the other styles. */
  readonly scope: string | null;
  /** How parameters travel: `query` has no body, `form-or-query` takes them from both, `multipart` brings a file. */
  readonly encoding: "query" | "form" | "form-or-query" | "json" | "multipart";
  /** Character set of a form, as a client may declare it. */
  readonly charset: "iso-8859-1" | "utf-8";
  /** Status codes that it knows; 99900CCCC works for these. */
  readonly codes: ReadonlyMap<number, StatusCode>;
  readonly fields: readonly FieldRule[];
  readonly write: AnswerWriter;
  readonly action: Action;
}
