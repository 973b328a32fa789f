import { countCharacters } from "../../shared/characters";
import { INSTANT_EXAMPLE, isInstant } from "../../shared/instant";
import { LIMITS } from "../../shared/fields/limits";
import { isMediaType } from "../../shared/media-types";
import { UUID } from "../../shared/uuid";
import { findNumberFault } from "../fields/number-fault";
import { sharedTexts } from "../dialog/texts";

export type LiteralCheck = (literal: string) => string | null;

export const atMost =
  (max: number): LiteralCheck =>
  (value) => {
    const count = countCharacters(value);
    return count > max ? sharedTexts("fault.too-long", { max, count }) : null;
  };

export const checkUuid: LiteralCheck = (value) =>
  UUID.test(value.trim()) ? null : sharedTexts("fault.uuid");

export const checkInstant: LiteralCheck = (value) =>
  isInstant(value.trim()) ? null : sharedTexts("fault.not-an-instant", { example: INSTANT_EXAMPLE });

export const checkUrl: LiteralCheck = (value) =>
  /^https?:\/\//i.test(value) && URL.canParse(value) ? null : sharedTexts("fault.url");

export const checkMediaType: LiteralCheck = (value) =>
  isMediaType(value.trim()) ? null : sharedTexts("fault.media-type");

export const between =
  (min: number, max = Number.POSITIVE_INFINITY, whole = false): LiteralCheck =>
  (value) =>
    findNumberFault(value, { min, max, whole });

export const checkValidity: LiteralCheck = (value) =>
  findNumberFault(value, { min: LIMITS.validityPeriodeMin, max: LIMITS.validityPeriodeMax, whole: true });
