import { hasText, say } from "./say";

export interface FailureFacts {
  readonly statusName: string | null;
  readonly statusCode: number | null;
  readonly httpStatus: number | null;
}

/** Returns null without words for the name. */
export function reasonWords(statusName: string | null): string | null {
  const key = `badges.reason.${statusName}`;
  return statusName !== null && hasText(key) ? say(key) : null;
}

/** A few words for a badge, or null. */
export function shortReason({ statusName, statusCode, httpStatus }: FailureFacts): string | null {
  const words = reasonWords(statusName);
  if (words !== null) {
    return words;
  }
  const code = statusCode ?? (statusName?.startsWith("HTTP_") ? `HTTP ${httpStatus}` : null);
  return code === null ? null : String(code);
}
