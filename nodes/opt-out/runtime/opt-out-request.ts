import {
  OPT_OUT_CATEGORIES,
  OPT_OUT_PAGE,
  OPT_OUT_SCOPES,
  OPT_OUT_SOURCES,
  type OptOutKind,
} from "../../../lib/shared/fields/opt-out-fields";
import { FieldError } from "../../../lib/shared/messaging-error";
import type { OptOutScope, OptOutSource } from "../../../lib/store/guards/opt-outs";
import { quoteValue } from "../../../lib/texts/quote-value";
import { say } from "../../../lib/texts/say";
import type { FieldValues } from "../../../lib/runtime/fields/field-reader";

export type OptOutRequest =
  | {
      readonly kind: "add";
      readonly numbers: unknown;
      readonly scope: OptOutScope;
      readonly source: OptOutSource;
    }
  | { readonly kind: "remove"; readonly numbers: unknown }
  | {
      readonly kind: "check";
      readonly numbers: unknown;
      /** True to block numbers that opted out of advertisement only. */
      readonly advertisement: boolean;
    }
  | { readonly kind: "list"; readonly pageSize: number }
  | { readonly kind: "import"; readonly rows: unknown; readonly column: string; readonly scope: OptOutScope };

const wrong = (field: string, problem: string): FieldError => new FieldError("FIELD_INVALID", field, problem);

function oneOf<Word extends string>(words: readonly Word[], value: unknown, field: string): Word {
  const found = words.find((word) => word === value);
  if (found === undefined) {
    throw wrong(field, say("optOuts.word", { words: words.join(", "), value: quoteValue(value) }));
  }
  return found;
}

function columnOf(value: unknown): string {
  if (typeof value !== "string" || value.trim() === "") {
    throw wrong("column", say("optOuts.column", { value: quoteValue(value) }));
  }
  return value;
}

function pageSizeOf(size: unknown): number {
  const { least: min, most: max } = OPT_OUT_PAGE;
  if (typeof size !== "number" || !Number.isInteger(size) || size < min || size > max) {
    throw wrong("pageSize", say("optOuts.pageSize", { min, max, value: quoteValue(size) }));
  }
  return size;
}

/** Checks the fields of one message, but not its numbers. @throws FieldError FIELD_INVALID */
export function readOptOutRequest(kind: OptOutKind, values: FieldValues): OptOutRequest {
  const { numbers, rows } = values;
  switch (kind) {
    case "add":
      return {
        kind,
        numbers,
        scope: oneOf(OPT_OUT_SCOPES, values.scope, "scope"),
        source: oneOf(OPT_OUT_SOURCES, values.source, "source"),
      };
    case "remove":
      return { kind, numbers };
    case "check":
      return {
        kind,
        numbers,
        advertisement: oneOf(OPT_OUT_CATEGORIES, values.category, "category") === "advertisement",
      };
    case "list":
      return { kind, pageSize: pageSizeOf(values.pageSize) };
    case "import":
      return {
        kind,
        rows,
        column: columnOf(values.column),
        scope: oneOf(OPT_OUT_SCOPES, values.scope, "scope"),
      };
  }
}
