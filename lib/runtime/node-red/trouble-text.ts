import { FieldError, SetupError } from "../../shared/messaging-error";
import { StoreError } from "../../store/engine/store-error";
import { say } from "../../texts/say";

export function troubleText(error: unknown, unexpected = say("badges.trouble.OTHER")): string {
  if (error instanceof SetupError || error instanceof StoreError) {
    return say(`badges.trouble.${error.code}`);
  }
  return error instanceof FieldError ? say("badges.trouble.FIELD_INVALID") : unexpected;
}
