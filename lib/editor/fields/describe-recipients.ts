import { describeSource } from "./describe-source";
import { maskRecipients } from "./mask-recipients";

/** As `describeSource`, with typed numbers masked. */
export const describeRecipients = (source: unknown, value: unknown): string =>
  source === "str" ? maskRecipients(value) : describeSource(source, value);
