import type { Operation } from "../../../lib/gateway/contract/operations";
import type { LIMITS } from "../../../lib/shared/fields/limits";
import type { RCS_LIMITS } from "../../../lib/shared/fields/rcs-limits";
import type { CodeList, OutcomeFacts } from "../../../lib/shared/outcomes";
import type { SmsEncoding } from "../../../lib/shared/sms-segments";
import type { Language } from "../../../lib/texts/catalogues";

/** The cells of the first row of a table. */
type Head = readonly string[];

/** What a field of a request holds: its type, and the rules that its value keeps. */
export type FieldWords = readonly [type: string, rules: string];

type LimitWords = readonly [what: string, unit: string];

/** What the tables of the guides say in one language, besides the texts of its catalogues. */
export interface TableWords {
  readonly language: Language;
  readonly yes: string;
  readonly no: string;

  readonly outcomeHead: Head;
  readonly resend: Readonly<Record<OutcomeFacts["resend"], string>>;
  /** Behind the first column of all other tables about outcomes. */
  readonly meaningHead: Head;
  readonly code: string;
  readonly name: string;
  readonly httpStatus: string;
  readonly anyOther4xxx: string;
  readonly anyOther: string;
  readonly movedFile: string;
  readonly bare503: string;
  /** Of a code that is listed only for answers with a transferId. */
  readonly withTransferId: string;

  readonly metricHead: Head;

  readonly operationHead: Head;
  readonly pathAssumed: string;
  readonly pathKnown: string;
  readonly pathPerhapsBelowRest: string;
  readonly style: Readonly<Record<Operation["style"], string>>;
  readonly auth: Readonly<Record<Operation["auth"], string>>;
  readonly request: Readonly<Record<Operation["encoding"], string>>;
  readonly answer: Readonly<Record<Operation["answer"], string>>;

  readonly fieldHead: Head;
  /** By the name of the field, or by operation and name where operations differ. */
  readonly fields: Readonly<Record<string, FieldWords>>;

  readonly limitHead: Head;
  /** Each limit by its key, so that a new one without words does not compile. */
  readonly limits: Readonly<Record<keyof typeof LIMITS, LimitWords>>;
  readonly rcsLimits: Readonly<Record<keyof typeof RCS_LIMITS, LimitWords>>;

  readonly lists: Readonly<Record<CodeList, string>>;

  readonly segmentHead: Head;
  readonly alphabets: Readonly<Record<SmsEncoding, readonly [name: string, unit: string]>>;

  readonly rcsWordHead: Head;
  readonly heightOfMedia: string;
  readonly typeOfRecording: string;
}
