import { type DeliveryStep, type EntryDetails, isNotice, MOST_NUMBERS } from "../../../shared/activity";
import { readDetails } from "../activity-link";
import { deliveryTone } from "./delivery-facts";
import { missingReports } from "./delivery-hint";
import { button, el } from "../dom";
import { deliveryWord, detailOf, formatTime, labelOf, texts } from "../formatting";
import { isRefusal, type ShownEntry } from "../model";
import { formatMoment } from "../../dialog/locale";
import { factList, timeOf } from "../parts";
import { nodeOf, openNode } from "../node-lookup";

/** Fills the panel below a row. @param epoch of the entry @param draws runs what shows an answer, unless something later is to be shown there */
export function showDetails(
  panel: HTMLElement,
  entry: ShownEntry,
  epoch: string,
  draws: (draw: () => void) => void,
): void {
  if (isRefusal(entry) || isNotice(entry.result)) {
    panel.replaceChildren(...ofEntry(entry), nodeRow(entry));
    return;
  }
  if (panel.childElementCount === 0) {
    panel.append(el("p", "messaging-activity-quiet", texts("history.loading")));
  }
  const show = (...content: readonly HTMLElement[]): void =>
    draws(() => panel.replaceChildren(...content, nodeRow(entry)));
  readDetails(epoch, entry.id).then(
    (details) => show(...ofRuntime(entry, details)),
    ({ message }: Error) =>
      show(
        ...ofEntry(entry),
        el("p", "messaging-activity-quiet", texts(message === "gone" ? "details.gone" : "details.down")),
      ),
  );
}

function ofEntry(entry: ShownEntry): HTMLElement[] {
  const detail = detailOf(entry);
  const what = texts(`result.${entry.result}`);
  return [el("p", "", detail === "" ? what : `${what}: ${detail}`), facts({ time: formatMoment(entry.at) })];
}

function ofRuntime(entry: ShownEntry, details: EntryDetails): HTMLElement[] {
  const { reason, advice, parameter, numbers, numberCount, clientMessageId, transferId, steps } = details;
  const code = entry.result === "received" ? "" : `${entry.code ?? ""} ${entry.name}`.trim();
  const number =
    numberCount === 0
      ? ""
      : numbers === null
        ? texts("details.hidden", { who: entry.who })
        : listed(numbers, numberCount);
  return [
    el("p", "", reason === "" ? `${texts(`result.${entry.result}`)}: ${detailOf(entry)}` : reason),
    ...(advice === "" || isReported(entry)
      ? []
      : [reportHint(entry) ?? el("p", "", el("b", "", texts("history.advice")), ` ${advice}`)]),
    ...(steps.length === 0
      ? []
      : [el("ol", "messaging-activity-steps", ...steps.map((step) => stepRow(step, entry)))]),
    facts({ time: formatMoment(entry.at), number, code, parameter, clientMessageId, transferId }),
  ];
}

const isAccepted = ({ result }: ShownEntry): boolean => result === "sent" || result === "queued";

/** Whether it was accepted and a report has said what became of it: the advice to wait for one is old. */
const isReported = (entry: ShownEntry): boolean =>
  isAccepted(entry) && entry.progress !== undefined && deliveryTone(entry.progress) !== null;

/** Where the advice would be to wait for a report that cannot come. */
function reportHint(entry: ShownEntry): HTMLElement | null {
  const { channel, progress } = entry;
  const isWaitedFor = isAccepted(entry) && channel !== "media" && !progress?.status;
  const node = nodeOf(entry);
  return isWaitedFor && node !== null ? missingReports(String(node.account ?? ""), node) : null;
}

function listed(numbers: readonly string[], count: number): string {
  const shown = numbers
    .slice(0, MOST_NUMBERS)
    .map((number) => (/^[1-9]\d{6,}$/.test(number) ? `+${number}` : number));
  const more = count - shown.length;
  return more > 0 ? texts("more", { who: shown.join(", "), n: more }) : shown.join(", ");
}

function stepRow({ at, what, status, who }: DeliveryStep, { count }: ShownEntry): HTMLElement {
  const said =
    what === "result"
      ? texts(`result.${status}`)
      : what === "reply"
        ? texts("details.reply", { who })
        : deliveryWord(status);
  // With one recipient it is clear who it is.
  const whose = what === "status" && count > 1 ? ` (${who})` : "";
  return el("li", "", timeOf(formatTime(at), formatMoment(at)), ` ${said}${whose}`);
}

/** Those that are known, in their order. */
const facts = (values: Readonly<Record<string, string | null>>): HTMLElement =>
  factList(
    Object.entries(values)
      .filter(([, value]) => value !== null && value !== "")
      .map(([key, value]) => [texts(`details.fact.${key}`), value] as const),
  );

function nodeRow(entry: ShownEntry): HTMLElement {
  return nodeOf(entry) === null
    ? el("p", "messaging-activity-quiet", texts("gone"))
    : el(
        "div",
        "messaging-activity-open",
        button({ icon: "pencil", text: texts("details.open") }, () => openNode(entry)),
        el("span", "messaging-activity-quiet", labelOf(entry)),
      );
}
