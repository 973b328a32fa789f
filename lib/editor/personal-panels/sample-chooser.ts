import type { Row } from "../../shared/personal-text/row-number";
import type { Dialog } from "../dialog/dialog";
import { isOpen } from "../dialog/dialog";
import { formatMoment } from "../dialog/locale";
import { sharedTexts, type Texts } from "../dialog/texts";
import { type LastMessage, readLastMessage } from "../personal-text/last-message";
import { readPasted } from "../personal-text/read-pasted";
import { pastedSample, type RecipientsSource, type Sample, sampleOf } from "../personal-text/sample";

const say: Texts = (key, values) => sharedTexts(`personal.${key}`, values);

/** What was pasted for each node, by its id, for as long as the page is open. It is data of people, so no flow has it. */
const pastedFor = new Map<string, string>();

/** The place of a dialog where the sample is chosen. */
export interface SampleChooser {
  /** Null where there is none: no message came yet, or what is pasted is no row. */
  readonly sample: () => Sample | null;
  readonly show: (shown: boolean) => void;
  /** Lets somebody paste a row. */
  readonly paste: () => void;
}

const timeOf = (at: number): string => {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? formatMoment(date, { timeStyle: "medium" }) : formatMoment(date);
};

/**
 * Prepares the row of the sample: the last message, or a row that is pasted.
 * @param recipients reads Recipients of the dialog
 * @param changed is called when there is another sample
 */
export function prepareSampleChooser(
  dialog: Dialog,
  recipients: () => RecipientsSource,
  changed: () => void,
): SampleChooser {
  const { node, form } = dialog;
  const row = form.find(".messaging-sample");
  const from = row.find("select");
  const area = row.find("textarea");
  const again = row.find("button");
  const hint = row.find(".messaging-hint");
  let last: LastMessage | null = null;
  area.val(pastedFor.get(node.id) ?? "").attr("placeholder", say("placeholder"));
  if (pastedFor.has(node.id)) {
    from.val("row");
  }
  const isPasted = (): boolean => from.val() === "row";
  const message = (): Row | null => last?.message ?? null;

  const status = (): string => {
    if (!isPasted()) {
      if (last === null) {
        return "";
      }
      return last.message === null ? say(last.at === null ? "none" : "sensitive") : "";
    }
    const pasted = readPasted(String(area.val()));
    if (typeof pasted === "string") {
      return say(`paste.${pasted}`);
    }
    return say("row" in pasted ? "paste.row" : "paste.message");
  };
  const draw = (): void => {
    const isBad = isPasted() && typeof readPasted(String(area.val())) === "string" && area.val() !== "";
    area.toggle(isPasted());
    again.toggle(!isPasted());
    const at = last?.message ? last.at : null;
    from
      .find("[value=message]")
      .text(at === null ? say("from.message") : say("from.at", { time: timeOf(at) }));
    hint.text(status()).toggleClass("messaging-bad", isBad);
  };
  const update = (): void => {
    draw();
    changed();
  };
  let readings = 0;
  const read = (): void => {
    const reading = ++readings;
    void readLastMessage(node.id).then((read) => {
      if (reading === readings && isOpen(dialog)) {
        last = read;
        update();
      }
    });
  };
  from.on("change", update);
  area.on("input change", () => {
    pastedFor.set(node.id, String(area.val()));
    draw();
  });
  again.attr({ title: say("again"), "aria-label": say("again") }).on("click", read);
  draw();
  read();
  return {
    sample() {
      if (!isPasted()) {
        const known = message();
        return known && sampleOf(known, recipients());
      }
      const pasted = readPasted(String(area.val()));
      return typeof pasted === "string" ? null : pastedSample(pasted, message(), recipients());
    },
    show: (shown) => void row.toggle(shown),
    paste() {
      from.val("row").trigger("change");
      area.trigger("focus");
    },
  };
}
