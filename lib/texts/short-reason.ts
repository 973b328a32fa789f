import { hasText, say } from "./say";

/** What says why a result is a failure. */
export interface FailureFacts {
  readonly statusName: string | null;
  readonly statusCode: number | null;
  /** HTTP status of the answer. */
  readonly httpStatus: number | null;
}

/** What the name of a code or a fault means, in a few words; null where there are none for it. */
export function reasonWords(statusName: string | null): string | null {
  const key = `badges.reason.${statusName}`;
  return statusName !== null && hasText(key) ? say(key) : null;
}

/** Why, in a few words, for a badge or a row; null where there are none for it. */
export function shortReason({ statusName, statusCode, httpStatus }: FailureFacts): string | null {
  const words = reasonWords(statusName);
  if (words !== null) {
    return words;
  }
  const code = statusCode ?? (statusName?.startsWith("HTTP_") ? `HTTP ${httpStatus}` : null);
  return code === null ? null : String(code);
}
