import { WEBHOOK_DEFAULTS } from "../../shared/fields/webhook-defaults";
import { OptOutWords, type WordsFault } from "../../shared/opt-outs/opt-out-words";
import { currentValue, type Dialog } from "../dialog/dialog";
import type { EditedNode } from "../dialog/node-definition";
import type { Texts } from "../dialog/texts";

const { stopWords, startWords, optOutScope } = WEBHOOK_DEFAULTS;

/** What a webhook does that was saved before it knew stop words, and the words that it would begin with. */
const EARLIER = { optOutWords: false, stopWords, startWords, optOutScope } as const;

const PROPERTIES = Object.keys(EARLIER) as (keyof typeof EARLIER)[];

const isOn = (node: EditedNode): boolean =>
  currentValue(node, "optOutWords") === true && currentValue(node, "kind") !== "status";

/** What is wrong with one of the two lists of words, or null. */
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
 * @returns has to be called before the editor saves the dialog
 */
export function prepareOptOuts({ node, form, input, watch }: Dialog, texts: Texts): () => void {
  const missing = PROPERTIES.filter((name) => node[name] === undefined);
  for (const name of missing) {
    const value = EARLIER[name];
    if (typeof value === "boolean") {
      input(name).prop("checked", value);
    } else {
      input(name).val(value);
    }
  }
  const summary = form.find("#messaging-webhook-opt-outs .messaging-summary");
  const update = (): void => {
    const scope = String(input("optOutScope").val() ?? EARLIER.optOutScope);
    const on = input("optOutWords").prop("checked") === true;
    summary.text(texts(on ? `summary.${scope}` : "summary.off"));
  };
  watch(update);
  update();
  return () => {
    const shown = (name: keyof typeof EARLIER): unknown =>
      name === "optOutWords" ? input(name).prop("checked") === true : input(name).val();
    if (missing.every((name) => shown(name) === EARLIER[name])) {
      for (const name of missing) {
        // The editor saves every input that it finds.
        input(name).removeAttr("id");
      }
    }
  };
}
