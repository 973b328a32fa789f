import { OptOutWords, type WordsFault } from "../../shared/opt-outs/opt-out-words";
import { currentValue, type Dialog } from "../dialog/dialog";
import type { EditedNode } from "../dialog/node-definition";
import type { Texts } from "../dialog/texts";

const isOn = (node: EditedNode): boolean =>
  currentValue(node, "optOutWords") === true && currentValue(node, "kind") !== "status";

export function optOutWordsFault(list: WordsFault["list"], node: EditedNode, texts: Texts): string | null {
  if (!isOn(node)) {
    return null;
  }
  const typed = (name: WordsFault["list"]): string => String(currentValue(node, name));
  const read = OptOutWords.read(typed("stopWords"), typed("startWords"));
  return read.ok || read.list !== list
    ? null
    : texts(`fault.words.${read.fault}`, { entry: "entry" in read ? read.entry : "" });
}

export function prepareOptOuts({ form, input, watch }: Dialog, texts: Texts): void {
  const summary = form.find("#messaging-webhook-opt-outs .messaging-summary");
  watch(() => {
    const isOn = input("optOutWords").prop("checked") === true;
    summary.text(texts(isOn ? `summary.${String(input("optOutScope").val())}` : "summary.off"));
  });
}
