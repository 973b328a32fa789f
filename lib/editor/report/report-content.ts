import type { Report, ReportQuery, ReportReason, ReportView } from "../../shared/history/report";
import { el } from "../activity/dom";
import { deliveryWord, formatCount, texts } from "../activity/formatting";
import { line, progressBar, quiet } from "../activity/parts";
import { formatMoment, formatNumber } from "../dialog/locale";
import { channelName, durationText, nodeLabel } from "../history/wording";
import { chartOf, heading, type ReportChart } from "./report-chart";
import { outcomeKey } from "./report-link";
import { openOf, percentOf } from "./report-model";
import { tableOf } from "./report-table";

const titleOf = (column: string): string => texts(`report.column.${column}`);

/** What an account sent and received, in a tile each. */
export function tilesOf(report: Report): HTMLElement {
  const seconds = report.deliverySeconds;
  const share = (part: number): string => {
    const percent = percentOf(part, report.messages);
    return percent === null ? "" : texts("report.percent", { n: formatNumber(percent) });
  };
  const took = (at: number | undefined): string => (at === undefined ? "–" : durationText(at * 1_000));
  const tiles: readonly (readonly [key: string, value: string, more?: string])[] = [
    ["messages", formatCount(report.messages)],
    ["segments", formatCount(report.segments)],
    ...(report.simulated > 0 ? [["simulated", formatCount(report.simulated)] as const] : []),
    ["delivered", formatCount(report.delivered), share(report.delivered)],
    ["read", formatCount(report.read), share(report.read)],
    ["failed", formatCount(report.failed), share(report.failed)],
    ["skipped", formatCount(report.skipped), share(report.skipped)],
    ["unsure", formatCount(openOf(report)), share(openOf(report))],
    ["median", took(seconds?.median)],
    ["p95", took(seconds?.p95)],
    ["replies", formatCount(report.replies)],
    ["optOuts", formatCount(report.optOuts)],
  ];
  return el(
    "dl",
    "messaging-report-tiles",
    ...tiles.map(([key, value, more = ""]) => {
      const tile = el(
        "div",
        "",
        el("dt", "", texts(`report.tile.${key}`)),
        el(
          "dd",
          "",
          el("b", "messaging-report-figure", value),
          more === "" ? null : el("span", "messaging-report-part-of-all", ` ${more}`),
        ),
      );
      tile.title = texts(`report.tip.${key}`);
      return tile;
    }),
  );
}

/** The charts and tables of an account. */
export function contentOf({ report, zone }: ReportView, { step }: ReportQuery): readonly HTMLElement[] {
  const { steps, reasons, nodes, rows } = report;
  const named = (options: Intl.DateTimeFormatOptions) =>
    steps.map(({ from }) => formatMoment(new Date(from), { ...options, timeZone: zone }));
  const [days, hours] = [
    { day: "2-digit", month: "2-digit" },
    { hour: "2-digit", minute: "2-digit" },
  ] as const;
  const short = named(step === "day" ? days : { ...days, ...hours });
  const axis = {
    stepTitle: texts(`report.stepTitle.${step}`),
    steps: named(step === "day" ? { weekday: "short", ...days } : { ...days, ...hours }),
    ends: [short[0] ?? "", short.length > 1 ? (short.at(-1) ?? "") : ""],
  } as const satisfies Partial<ReportChart>;
  const messages = chartOf({
    ...axis,
    title: texts(`report.messagesBy.${step}`),
    kind: "bars",
    series: [
      { label: texts("report.tile.delivered"), tone: "good", values: steps.map((each) => each.delivered) },
      { label: texts("report.tile.unsure"), tone: "wait", values: steps.map(openOf) },
      // Where no rule keeps anything back, it would be one more column of nothing.
      ...(report.skipped > 0
        ? [
            {
              label: texts("report.tile.skipped"),
              tone: "none" as const,
              values: steps.map((each) => each.skipped),
            },
          ]
        : []),
      { label: texts("report.tile.failed"), tone: "bad", values: steps.map((each) => each.failed) },
    ],
  });
  const written = chartOf({
    ...axis,
    title: texts(`report.repliesBy.${step}`),
    kind: "lines",
    series: [
      { label: texts("report.tile.replies"), tone: "in", values: steps.map((each) => each.replies) },
      { label: texts("report.tile.optOuts"), tone: "bad", values: steps.map((each) => each.optOuts) },
    ],
  });
  return [
    ...(report.messages > 0 ? [messages] : []),
    ...(report.replies + report.optOuts > 0 ? [written] : []),
    ...(reasons.length > 0 ? [reasonList(reasons, report.failed)] : []),
    ...(report.messages > 0
      ? [
          el(
            "div",
            "messaging-report-part",
            heading(texts("report.table.nodes")),
            tableOf(
              texts("report.table.nodes"),
              ["node", "messages", "delivered", "failed"].map(titleOf),
              nodes.map((each) => [
                nodeLabel(each.node),
                formatCount(each.messages),
                formatCount(each.delivered),
                formatCount(each.failed),
              ]),
            ),
          ),
          el(
            "div",
            "messaging-report-part",
            heading(texts("report.table.rows")),
            tableOf(
              texts("report.table.rows"),
              ["channel", "outcome", "delivery", "count"].map(titleOf),
              rows.map(({ channel, outcome, delivery, count }) => [
                channelName(channel),
                texts(outcomeKey(outcome)),
                delivery === "none" ? texts("report.noReport") : deliveryWord(delivery),
                formatCount(count),
              ]),
            ),
          ),
        ]
      : []),
  ];
}

function reasonList(reasons: readonly ReportReason[], failed: number): HTMLElement {
  return el(
    "div",
    "messaging-report-part",
    heading(texts("report.table.reasons")),
    el(
      "ol",
      "messaging-report-reasons",
      ...reasons.map(({ reason, advice, count, statusCode, statusName }) => {
        const code = [statusCode, statusName].filter((each) => each !== null).join(" ");
        const bar = progressBar(count, failed, reason);
        bar.classList.add("messaging-report-share");
        return el(
          "li",
          "",
          line(
            el("b", "messaging-report-count", formatCount(count)),
            el("span", "messaging-report-why", reason),
          ),
          bar,
          quiet(...[advice, code === "" ? null : texts("report.code", { code })].filter(Boolean).join(" ")),
        );
      }),
    ),
  );
}
