import type { Operation, OperationId } from "../../../gateway/contract/operations";
import { localVerdict, type Verdict } from "../../../gateway/codec/verdict";
import { LIMITS } from "../../../shared/fields/limits";
import { parseRecipientsInSlices } from "../../../shared/recipients/parse-in-slices";
import { type ParsedRecipients, parseRecipients } from "../../../shared/recipients/recipients";
import { LEADING_ZERO_OPEN, type RejectedRecipient } from "../../../shared/recipients/rejected-recipient";
import { splitBatches } from "../../../shared/recipients/split-batches";
import { quoteValue } from "../../../texts/quote-value";
import { recipientSentence } from "../../../texts/recipient-sentence";
import { say } from "../../../texts/say";
import { NO_RULES, type RequestRules } from "../../../store/guards/request-rules";
import type { DividedRecipients } from "../../guards/divide-by-hours";

/** One request of a message, or recipients that it is not sent to. */
export interface Part {
  readonly recipients: readonly string[];
  /** Position in the sequence: requests, then parts that guards hold back, and last the part of invalid recipients. */
  readonly index: number;
  /** Why it is not sent; null for a request. */
  readonly fault: Verdict | null;
  /** Whether its recipients are entries as they were given, which are no numbers. */
  readonly invalid: boolean;
  /** Of a new part of invalid recipients: the entries that were read. */
  readonly rejected?: readonly Pick<RejectedRecipient, "value" | "row">[];
  /** What it keeps to when it leaves. */
  readonly rules: RequestRules;
  /** Of a stored result, because the store may no longer have the snapshot of its message. */
  readonly operation?: OperationId;
  /**
   * Set for a part of which nobody knew when the message was divided, because its recipients were held back only when they were to
   * leave: its client message id; null where it was not sent. It has no `msg.parts`, so that Join does not wait for it or count it.
   */
  readonly late?: { readonly clientMessageId: string | null };
  /** Set for a request that leaves without some of its recipients: those are in late parts. */
  readonly divided?: boolean;
}

/** Invalid recipients that an error names. */
const EXPLAINED = 5;
/** Characters of an entry that are shown; the parser has shortened it to these. */
const LONGEST_ENTRY = 64;
/** Characters of a recipient text that is parsed synchronously. */
const SHORT_TEXT = 64;
const yieldNow = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Reads the recipients of a message; synchronously where they are few. */
export function readRecipients(
  value: unknown,
  defaultCountry: string | undefined,
): ParsedRecipients | Promise<ParsedRecipients> {
  return typeof value === "string" && value.length <= SHORT_TEXT
    ? parseRecipients(value, { defaultCountry })
    : parseRecipientsInSlices(value, { defaultCountry }, yieldNow);
}

/** What a message says of itself that is a row: its place in its list, from 0, where it came in one, and the name of the person. */
interface RowOfList {
  readonly row?: number;
  readonly person?: string | null;
}

/** A rejected entry as it was given; of what is neither text nor number, its kind and its place in the list. */
const entryOf = ({ value, position }: RejectedRecipient): string =>
  position === null ? value : say("recipients.entry", { value, position });

/** An entry with its row in the list, and its name, where it has them. */
function whose(value: string, row: number | undefined, name: string | null): string {
  if (name === null) {
    return row === undefined ? value : say("recipients.row", { value, row: row + 1 });
  }
  return row === undefined
    ? say("recipients.alone", { value, name })
    : say("recipients.named", { value, row: row + 1, name });
}

/** Names the first invalid numbers with their reasons. @param send of the message, which may be a row of a list */
function explain(rejected: ParsedRecipients["rejected"], { row, person = null }: RowOfList): string {
  const some = rejected.slice(0, EXPLAINED).map((entry) => {
    const value = quoteValue(entryOf(entry), LONGEST_ENTRY);
    const named = whose(value, row, person);
    return `${named}: ${recipientSentence(entry.explanation)}`;
  });
  const list = some.join("; ");
  const more = rejected.length - some.length;
  return more === 0 ? list : say(`recipients.more.${more === 1 ? "one" : "many"}`, { list, count: more });
}

/** What is wrong with most of them: a default country would help, or each is to be corrected. */
function faultOf(rejected: ParsedRecipients["rejected"]): "NO_DEFAULT_COUNTRY" | "RECIPIENTS_INVALID" {
  const national = rejected.filter(({ explanation }) => explanation.key === LEADING_ZERO_OPEN.key);
  return national.length * 2 > rejected.length ? "NO_DEFAULT_COUNTRY" : "RECIPIENTS_INVALID";
}

/**
 * Splits a message into requests, in order, each with recipients of the same rules, followed by a part for each reason to hold recipients back, and a part for invalid
 * numbers. Returns at least one part. Limit of recipients: contract, "Limits".
 * @param send of the message, which may be a row of a list
 */
export function splitParts(
  { recipients: field }: Operation,
  { rejected }: Pick<ParsedRecipients, "rejected">,
  { leaving, held }: DividedRecipients,
  send: RowOfList = {},
): Part[] {
  if (field === null) {
    return [{ recipients: [], index: 0, fault: null, invalid: false, rules: NO_RULES }];
  }
  const size = field.many ? LIMITS.recipientsPerRequest : 1;
  const parts: Part[] = [];
  for (const { recipients: group, rules } of leaving) {
    for (const recipients of splitBatches(group, size)) {
      parts.push({ recipients, index: parts.length, fault: null, invalid: false, rules });
    }
  }
  const refuse = (recipients: readonly string[], fault: Verdict, invalid: boolean): void =>
    void parts.push({ recipients, index: parts.length, fault, invalid, rules: NO_RULES });
  for (const { recipients, verdict } of held) {
    refuse(recipients, verdict, false);
  }
  if (rejected.length > 0) {
    const fault = localVerdict(faultOf(rejected), explain(rejected, send));
    const [recipients, index] = [rejected.map(entryOf), parts.length];
    parts.push({ recipients, index, fault, invalid: true, rejected, rules: NO_RULES });
  }
  if (parts.length === 0) {
    refuse([], localVerdict("RECIPIENTS_MISSING"), true);
  }
  return parts;
}
