import { randomUUID } from "node:crypto";
import type { Emission } from "../store/digest";
import type { WrittenItem } from "./digest-item";

type Texts = Pick<WrittenItem, "item" | "message">;

/** Sensitive messages whose texts are kept; beyond them digests have the number of the oldest ones only. */
const MAX_TEXTS = 1_000;

/** Texts of sensitive messages that this process has gathered, the newest last. No store has them. */
const texts = new Map<string, Texts>();

/** Keeps the texts of a sensitive message here. @returns what a store may have of it */
export function hideTexts({ item, message, ...others }: WrittenItem): WrittenItem {
  const id = randomUUID();
  texts.set(id, { item, message });
  if (texts.size > MAX_TEXTS) {
    const [oldest = ""] = texts.keys();
    texts.delete(oldest);
  }
  return { ...others, item: id, message: "" };
}

/** The texts of a emission. */
export interface EmissionTexts {
  /** Without those that this process does not have. */
  readonly items: readonly string[];
  /** Those of the newest message; null where this process does not have them. */
  readonly newest: Texts | null;
}

export function textsOf({ items, lastItem, message, sensitive }: Emission): EmissionTexts {
  if (!sensitive) {
    return { items, newest: { item: lastItem, message } };
  }
  return {
    items: items.flatMap((id) => texts.get(id)?.item ?? []),
    newest: texts.get(lastItem) ?? null,
  };
}

/** It was emitted. */
export function deleteTexts({ items, lastItem }: Emission): void {
  for (const id of [...items, lastItem]) {
    texts.delete(id);
  }
}
