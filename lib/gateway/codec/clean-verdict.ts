import { sanitiseText } from "../../shared/sanitise-text";
import type { Redactor } from "./redactor";
import { MAX_MESSAGE, type Verdict } from "./verdict";

const MAX_ID = 256;
const MAX_DATA = 4_096;

const cleaned = <Value>(value: Value, redactor: Redactor, longest: number): Value =>
  typeof value === "string" ? (sanitiseText(redactor.clean(value), longest) as Value) : value;

const cleanData = (data: NonNullable<Verdict["data"]>, redactor: Redactor): Verdict["data"] =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      // An escape in this header, which is parsed and not shown, would change the file's name.
      name === "contentDisposition" && typeof value === "string"
        ? redactor.clean(value)
        : cleaned(value, redactor, MAX_DATA),
    ]),
  );

/** Masks secrets in the response and shortens its texts. `judge` has masked `statusMessage`. */
export function cleanVerdict(verdict: Verdict, redactor: Redactor): Verdict {
  const { data } = verdict;
  const statusMessage = sanitiseText(verdict.statusMessage, MAX_MESSAGE);
  const transferId = cleaned(verdict.transferId, redactor, MAX_ID);
  const clientMessageId = cleaned(verdict.clientMessageId, redactor, MAX_ID);
  if (
    data === null &&
    statusMessage === verdict.statusMessage &&
    transferId === verdict.transferId &&
    clientMessageId === verdict.clientMessageId
  ) {
    return verdict;
  }
  return {
    ...verdict,
    statusMessage,
    transferId,
    clientMessageId,
    data: data === null ? null : cleanData(data, redactor),
  };
}
