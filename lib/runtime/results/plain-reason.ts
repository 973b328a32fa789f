import { OPERATIONS } from "../../gateway/contract/operations";
import type { Outcome } from "../../shared/outcomes";
import { hasText, say } from "../../texts/say";

/** What an answer is known by. */
interface Answered {
  readonly operation: string;
  readonly outcome: Outcome;
  readonly statusCode: number | null;
  readonly statusName: string | null;
  readonly source: "service" | "local" | null;
}

/** The meaning of a code or a local fault in words of the catalogues, which hold no value of a message. */
export function plainReason({ source, operation, outcome, statusCode, statusName }: Answered): string {
  const known = (OPERATIONS as Readonly<Record<string, { readonly style: string }>>)[operation];
  const key =
    source === "service"
      ? `outcomes.${known?.style}.${statusCode}.meaning`
      : `outcomes.local.${statusName}.meaning`;
  return hasText(key) ? say(key) : say(`record.outcome.${outcome}`);
}
