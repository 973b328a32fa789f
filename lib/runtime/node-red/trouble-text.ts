import { FieldError, SetupError } from "../../shared/messaging-error";
import { StoreError } from "../../store/engine/store-error";
import { say } from "../../texts/say";

/** What a badge says about an error of the set-up or of the store: a few words. The error itself has the full text. */
export function troubleText(error: unknown): string {
  if (error instanceof SetupError || error instanceof StoreError) {
    return say(`badges.trouble.${error.code}`);
  }
  return say(error instanceof FieldError ? "badges.trouble.FIELD_INVALID" : "badges.trouble.OTHER");
}
