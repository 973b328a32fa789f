import { WEBHOOK_DEFAULTS } from "../../shared/fields/webhook-defaults";
import { OptOutWords, type WordsFault } from "../../shared/opt-outs/opt-out-words";
import { checkedOrValue, currentValue, type Dialog } from "../dialog/dialog";
import { fillMissing } from "../dialog/missing-properties";
import type { EditedNode } from "../dialog/node-definition";
import type { Texts } from "../dialog/texts";

const { stopWords, startWords, optOutScope } = WEBHOOK_DEFAULTS;

/** What a webhook does that was saved before it knew stop words, and the words that it would begin with. */
const EARLIER = { optOutWords: false, stopWords, startWords, optOutScope } as const;

const isOn = (node: EditedNode): boolean =>
  currentValue(node, "optOutWords") === true && currentValue(node, "kind") !== "status";

export function optOutWordsFault(list: WordsFault["list"], node: EditedNode, texts: Texts): string | null {
  if (!isOn(node)) {
    return null;
  }
  const typed = (name: WordsFault["list"]): string => String(currentValue(node, name) ?? EARLIER[name]);
  const read = OptOutWords.read(typed("stopWords"), typed("startWords"));
  return read.ok || read.list !== list
    ? null
    : texts(`fault.words.${read.fault}`, { entry: "entry" in read ? read.entry : "" });
}

/**
 * Prepares the section *Opt-outs* of a webhook, whose summary says what is set. A webhook that was saved before there was the
 * section lacks its settings. It goes on without them until somebody changes one.
 */
export function prepareOptOuts(dialog: Dialog, texts: Texts): void {
  const { form, input, watch } = dialog;
  const shown = (name: string): unknown => checkedOrValue(input(name));
  const missing: readonly (keyof typeof EARLIER)[] = fillMissing(dialog, EARLIER, () =>
    missing.every((name) => shown(name) === EARLIER[name]),
  );
  const summary = form.find("#messaging-webhook-opt-outs .messaging-summary");
  watch(() => {
    const scope = String(shown("optOutScope") ?? EARLIER.optOutScope);
    summary.text(texts(shown("optOutWords") === true ? `summary.${scope}` : "summary.off"));
  });
}
