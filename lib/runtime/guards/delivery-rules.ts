import { findIdProblem } from "../../gateway/contract/well-formed";
import { fieldsOf } from "../../shared/fields/field-spec";
import { LONGEST_ONCE_KEY, RULE_DEFAULTS, RULE_FIELDS } from "../../shared/fields/rule-fields";
import { FieldError, SetupError } from "../../shared/messaging-error";
import { readDuration } from "../../shared/schedule/read-duration";
import { isTimeOfDay, readMoment } from "../../shared/schedule/read-moment";
import { billedSms } from "../../shared/sms-segments";
import { NO_RULES, type Once, type RequestRules } from "../../store/guards/request-rules";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import type { ChannelConfig, ChannelDefinition } from "../channels/channel-definition";
import type { FieldReader, FieldValues } from "../fields/field-reader";
import { contentHash } from "./content-hash";

type RuleField = (typeof RULE_FIELDS)[number]["name"];

/** Rule fields of one message. An empty field has no entry. */
export type RuleValues = Readonly<Partial<Record<RuleField, unknown>>>;

export interface ReadValues {
  readonly values: FieldValues;
  readonly asked: RuleValues;
  /** True if nothing may be stored that reveals its text. */
  readonly sensitive: boolean;
}

const NAMES: ReadonlySet<string> = new Set<RuleField>(RULE_FIELDS.map(({ name }) => name));
/** Replaces the hash of a sensitive content, because the hash of a short code reveals it. */
const SENSITIVE = "sensitive";
const NOTHING_ASKED: RuleValues = {};

const wrong = (field: RuleField | "contentCategory", problem: string): FieldError =>
  new FieldError("FIELD_INVALID", field, problem);

/** @throws FieldError */
function readMomentOf(
  field: "notBefore" | "uselessAfter",
  value: unknown,
  now: number,
  zone: string,
): number {
  const at = readMoment(value, now, zone);
  if (at === null) {
    throw wrong(field, say("fields.rules.moment", { value: quoteValue(value) }));
  }
  return at;
}

/** @throws FieldError */
function readKey(value: unknown): string {
  if (typeof value !== "string") {
    throw wrong("onceKey", say("fields.rules.key-not-text", { value: quoteValue(value) }));
  }
  const key = value.trim();
  const { length: count } = key;
  if (count === 0) {
    throw wrong("onceKey", say("fields.rules.key-blank"));
  }
  if (count > LONGEST_ONCE_KEY) {
    throw wrong("onceKey", say("fields.rules.key-too-long", { max: LONGEST_ONCE_KEY, count }));
  }
  const problem = findIdProblem(key);
  if (problem !== null) {
    throw wrong("onceKey", problem);
  }
  return key;
}

/** @throws SetupError BAD_SETTING */
function readWithin(value: unknown): number {
  const text = typeof value === "string" && value.trim() !== "" ? value : RULE_DEFAULTS.onceWithin;
  const within = readDuration(text);
  if (within === null || within === 0) {
    throw new SetupError("BAD_SETTING", say("fields.rules.within", { value: quoteValue(value) }));
  }
  return within;
}

/** Reads the delivery rules of the messages of a send node. */
export class DeliveryRules {
  readonly #anyHour: boolean;
  readonly #within: number;
  readonly #alsoOptedOut: boolean;
  readonly #hasCategory: boolean;
  readonly #asks: boolean;

  /**
   * @param reader of the node's fields, those of the rules included
   * @throws SetupError BAD_SETTING
   */
  constructor(
    private readonly channel: ChannelDefinition,
    private readonly config: ChannelConfig,
    reader: Pick<FieldReader, "reads">,
  ) {
    this.#anyHour = config.anyHour === true;
    this.#alsoOptedOut = config.alsoOptedOut === true;
    this.#hasCategory = fieldsOf(channel.fields, config).some(({ name }) => name === "contentCategory");
    this.#asks = RULE_FIELDS.some(({ name }) => reader.reads(name));
    this.#within = reader.reads("onceKey") ? readWithin(config.onceWithin) : 0;
  }

  /** Splits the fields of the service from those of the rules. */
  divide(read: FieldValues, sensitive: boolean): ReadValues {
    if (!this.#asks) {
      return { values: read, asked: NOTHING_ASKED, sensitive };
    }
    const values: FieldValues = {};
    const asked: Record<string, unknown> = {};
    for (const name of Object.keys(read)) {
      (NAMES.has(name) ? asked : values)[name] = read[name];
    }
    return { values, asked, sensitive };
  }

  /**
   * Reads the rules of a message, without sending hours. A past time does not delay it.
   * @param now epoch ms
   * @param zone IANA name for times without a zone
   * @param recipients digits; at least one
   * @throws FieldError
   */
  read(
    { values, asked, sensitive }: ReadValues,
    now: number,
    zone: string,
    recipients: readonly string[],
  ): RequestRules {
    const { onceKey, notBefore, uselessAfter } = asked;
    const cost = this.channel.isSms?.(values) ? billedSms(values) : 1;
    const category = this.#categoryOf(values);
    const asksNothing = onceKey === undefined && notBefore === undefined && uselessAfter === undefined;
    if (asksNothing && cost === 1 && category === "" && !this.#alsoOptedOut && !this.#anyHour) {
      return NO_RULES;
    }
    const begin = notBefore === undefined ? null : readMomentOf("notBefore", notBefore, now, zone);
    // From 8:00 tomorrow on, 20:00 is that of tomorrow.
    const from = begin !== null && begin > now && isTimeOfDay(uselessAfter) ? begin : now;
    const end = uselessAfter === undefined ? null : readMomentOf("uselessAfter", uselessAfter, from, zone);
    return {
      scheduled: begin !== null && begin > now ? begin : null,
      opens: null,
      uselessAfter: end,
      once: onceKey === undefined ? null : this.#onceOf(onceKey, values, recipients, sensitive),
      alsoOptedOut: this.#alsoOptedOut,
      category,
      cost,
      zone: this.#anyHour ? null : "",
    };
  }

  /** A test leaves the key to the message that is really sent. */
  #onceOf(
    value: unknown,
    values: FieldValues,
    recipients: readonly string[],
    sensitive: boolean,
  ): Once | null {
    const key = readKey(value);
    if (values.test === true) {
      return null;
    }
    const { compose, label, recipients: list } = this.channel;
    const { [list ?? ""]: _, ...content } = values;
    const fields = compose?.(content, recipients, this.config)(recipients) ?? content;
    return { key, within: this.#within, hash: sensitive ? SENSITIVE : contentHash(label, fields) };
  }

  #categoryOf({ contentCategory }: FieldValues): string {
    if (this.#alsoOptedOut && this.#hasCategory && contentCategory !== "informational") {
      throw wrong(
        "contentCategory",
        contentCategory === undefined
          ? say("fields.rules.category-missing")
          : say("fields.rules.category", { value: quoteValue(contentCategory) }),
      );
    }
    return typeof contentCategory === "string" ? contentCategory : "";
  }
}
