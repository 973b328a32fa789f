import type { Dialog } from "../dialog/dialog";
import { sharedTexts, type Texts } from "../dialog/texts";
import { readPasted } from "../personal-text/read-pasted";
import { pastedSample, type RecipientsSource, type Sample } from "../personal-text/sample";

const say: Texts = (key, values) => sharedTexts(`personal.${key}`, values);

/** Texts by the id of their node, for as long as the page is open. No flow stores them, because they are personal data. */
const pastedFor = new Map<string, string>();

/** The row of the form that holds the sample. */
export interface SampleRow {
  /** Null while the text is no row. */
  readonly sample: () => Sample | null;
  readonly show: (shown: boolean) => void;
  readonly focus: () => void;
}

/** @param recipients reads Recipients of the dialog */
export function prepareSampleRow({ node, form }: Dialog, recipients: () => RecipientsSource): SampleRow {
  const row = form.find(".messaging-sample");
  const area = row.find("textarea");
  const hint = row.find(".messaging-hint");
  const draw = (): void => {
    const text = String(area.val());
    const pasted = readPasted(text);
    const status = typeof pasted === "string" ? pasted : "row" in pasted ? "row" : "message";
    hint.text(say(`paste.${status}`)).toggleClass("messaging-bad", typeof pasted === "string" && text !== "");
  };
  area.val(pastedFor.get(node.id) ?? "").attr("placeholder", say("placeholder"));
  area.on("input change", () => {
    pastedFor.set(node.id, String(area.val()));
    draw();
  });
  draw();
  return {
    sample() {
      const pasted = readPasted(String(area.val()));
      return typeof pasted === "string" ? null : pastedSample(pasted, recipients());
    },
    show: (shown) => void row.toggle(shown),
    focus: () => void area.trigger("focus"),
  };
}
