import { FieldError, SetupError } from "../../shared/messaging-error";
import { StoreError } from "../../store/engine/store-error";
import type { TextKey } from "../../texts/catalogues";
import { say } from "../../texts/say";

export function troubleText(error: unknown, unexpected: TextKey = "badges.trouble.OTHER"): string {
  if (error instanceof SetupError || error instanceof StoreError) {
    return say(`badges.trouble.${error.code}`);
  }
  return say(error instanceof FieldError ? "badges.trouble.FIELD_INVALID" : unexpected);
}
