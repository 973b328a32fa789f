import type { Operation, OperationId } from "../../../gateway/contract/operations";
import { localVerdict, type Verdict } from "../../../gateway/codec/verdict";
import { LIMITS } from "../../../shared/fields/limits";
import { parseRecipientsInSlices } from "../../../shared/recipients/parse-in-slices";
import { type ParsedRecipients, parseRecipients } from "../../../shared/recipients/recipients";
import { LEADING_ZERO_OPEN, type RejectedRecipient } from "../../../shared/recipients/rejected-recipient";
import { quoteValue } from "../../../texts/quote-value";
import { recipientSentence } from "../../../texts/recipient-sentence";
import { say } from "../../../texts/say";
import { NO_RULES, type RequestRules } from "../../../store/guards/request-rules";
import type { DividedRecipients } from "../../guards/divide-by-hours";

/** One request of a message, or recipients without a request. */
export interface Part {
  readonly recipients: readonly string[];
  /** Position: requests, then blocked parts, then the part of invalid recipients. */
  readonly index: number;
  /** Why the part is not sent; null for a request. */
  readonly fault: Verdict | null;
  /** True if the recipients are the given entries, not numbers. */
  readonly invalid: boolean;
  readonly rejected?: readonly Pick<RejectedRecipient, "value" | "row">[];
  readonly rules: RequestRules;
  /** Stored with the result, because the snapshot of the message may be gone. */
  readonly operation?: OperationId;
  /** A part blocked at send time: Join does not wait for it. The client message id is null if it was not sent. */
  readonly late?: { readonly clientMessageId: string | null };
  /** True if some recipients of the request have moved to late parts. */
  readonly divided?: boolean;
}

const EXPLAINED = 5;
/** Characters; the parser has shortened entries to this length. */
const LONGEST_ENTRY = 64;
/** Characters of a recipient text that is parsed synchronously. */
const SHORT_TEXT = 64;
const yieldNow = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Synchronous for few recipients. */
export function readRecipients(
  value: unknown,
  defaultCountry: string | undefined,
): ParsedRecipients | Promise<ParsedRecipients> {
  return typeof value === "string" && value.length <= SHORT_TEXT
    ? parseRecipients(value, { defaultCountry })
    : parseRecipientsInSlices(value, { defaultCountry }, yieldNow);
}

/** Index in the list, from 0, and the recipient's name. */
interface RowOfList {
  readonly row?: number;
  readonly person?: string | null;
}

/** Describes an entry that is neither text nor number by its kind and index. */
const toEntry = ({ value, position }: RejectedRecipient): string =>
  position === null ? value : say("recipients.entry", { value, position });

function whose(value: string, row: number | undefined, name: string | null): string {
  if (name === null) {
    return row === undefined ? value : say("recipients.row", { value, row: row + 1 });
  }
  return row === undefined
    ? say("recipients.alone", { value, name })
    : say("recipients.named", { value, row: row + 1, name });
}

/** Names the first invalid numbers with their reasons. */
function explain(rejected: ParsedRecipients["rejected"], { row, person = null }: RowOfList): string {
  const some = rejected.slice(0, EXPLAINED).map((entry) => {
    const value = quoteValue(toEntry(entry), LONGEST_ENTRY);
    const named = whose(value, row, person);
    return `${named}: ${recipientSentence(entry.explanation)}`;
  });
  const list = some.join("; ");
  const more = rejected.length - some.length;
  return more === 0 ? list : say(`recipients.more.${more === 1 ? "one" : "many"}`, { list, count: more });
}

function getFault(rejected: ParsedRecipients["rejected"]): "NO_DEFAULT_COUNTRY" | "RECIPIENTS_INVALID" {
  const national = rejected.filter(({ explanation }) => explanation.key === LEADING_ZERO_OPEN.key);
  return national.length * 2 > rejected.length ? "NO_DEFAULT_COUNTRY" : "RECIPIENTS_INVALID";
}

/** Splits into requests by rules and limits (contract, "Limits"), blocked parts and invalid numbers; at least one part. */
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
    for (let from = 0; from < group.length; from += size) {
      const recipients = group.slice(from, from + size);
      parts.push({ recipients, index: parts.length, fault: null, invalid: false, rules });
    }
  }
  const refuse = (recipients: readonly string[], fault: Verdict, invalid: boolean): void =>
    void parts.push({ recipients, index: parts.length, fault, invalid, rules: NO_RULES });
  for (const { recipients, verdict } of held) {
    refuse(recipients, verdict, false);
  }
  if (rejected.length > 0) {
    const fault = localVerdict(getFault(rejected), explain(rejected, send));
    const [recipients, index] = [rejected.map(toEntry), parts.length];
    parts.push({ recipients, index, fault, invalid: true, rejected, rules: NO_RULES });
  }
  if (parts.length === 0) {
    refuse([], localVerdict("RECIPIENTS_MISSING"), true);
  }
  return parts;
}
