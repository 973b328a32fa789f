import { formatMoment, formatNumber } from "../../../lib/editor/dialog/locale";
import type { Report, ReportQuery, ReportReason, ReportView } from "../../../lib/shared/history/report";
import { channelName, deliveryWord, durationText, formatCount, texts } from "../shared/format";
import { nodeLabel } from "../shared/nodes";
import { Line, ProgressBar, Quiet } from "../shared/parts";
import { Chart, type ChartProps, Heading } from "./chart";
import { countOpen, toPercent } from "./report-query";
import { outcomeKey } from "./report-tables";
import { Table } from "./table";

/** Numbers of messages and events, in a tile each. */
export function Tiles({ report }: { readonly report: Report }) {
  const seconds = report.deliverySeconds;
  const share = (part: number): string => {
    const percent = toPercent(part, report.messages);
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
    ["unsure", formatCount(countOpen(report)), share(countOpen(report))],
    ["median", took(seconds?.median)],
    ["p95", took(seconds?.p95)],
    ["replies", formatCount(report.replies)],
    ["optOuts", formatCount(report.optOuts)],
  ];
  return (
    <dl class="messaging-tiles">
      {tiles.map(([key, value, more]) => (
        <div key={key} title={texts(`report.tip.${key}`)}>
          <dt>{texts(`report.tile.${key}`)}</dt>
          <dd>
            <b>{value}</b> {more && <span class="messaging-quiet">{more}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Reasons({ reasons, failed }: { reasons: readonly ReportReason[]; failed: number }) {
  return (
    <div class="messaging-part">
      <Heading text={texts("report.table.reasons")} />
      <ol class="messaging-reasons">
        {reasons.map(({ reason, advice, count, statusCode, statusName }) => {
          const code = [statusCode, statusName].filter((each) => each !== null).join(" ");
          return (
            <li key={`${code} ${reason}`}>
              <Line>
                <b>{formatCount(count)}</b> <span>{reason}</span>
              </Line>
              <ProgressBar done={count} total={failed} label={reason} />
              <Quiet>
                {[advice, code === "" ? null : texts("report.code", { code })].filter(Boolean).join(" ")}
              </Quiet>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function NamedTable({
  name,
  columns,
  rows,
}: {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: Parameters<typeof Table>[0]["rows"];
}) {
  const title = texts(`report.table.${name}`);
  return (
    <div class="messaging-part">
      <Heading text={title} />
      <Table name={title} titles={columns.map((each) => texts(`report.column.${each}`))} rows={rows} />
    </div>
  );
}

/** Names of the steps of the charts. */
function getAxis({ report: { steps }, zone }: ReportView, step: ReportQuery["step"]) {
  const named = (options: Intl.DateTimeFormatOptions) =>
    steps.map(({ from }) => formatMoment(new Date(from), { ...options, timeZone: zone }));
  const days = { day: "2-digit", month: "2-digit" } as const;
  const hours = { hour: "2-digit", minute: "2-digit" } as const;
  const short = named(step === "day" ? days : { ...days, ...hours });
  return {
    stepTitle: texts(`report.stepTitle.${step}`),
    steps: named(step === "day" ? { weekday: "short", ...days } : { ...days, ...hours }),
    ends: [short[0] ?? "", short.length > 1 ? (short.at(-1) ?? "") : ""],
  } as const satisfies Partial<ChartProps>;
}

/** The charts and tables of an account. */
export function ReportContent({ view, query: { step } }: { view: ReportView; query: ReportQuery }) {
  const { steps, reasons, nodes, rows, ...report } = view.report;
  const axis = getAxis(view, step);
  const skipped = steps.map((each) => each.skipped);
  return (
    <>
      {report.messages > 0 && (
        <Chart
          {...axis}
          title={texts(`report.messagesBy.${step}`)}
          kind="bars"
          series={[
            {
              label: texts("report.tile.delivered"),
              tone: "good",
              values: steps.map((each) => each.delivered),
            },
            { label: texts("report.tile.unsure"), tone: "wait", values: steps.map(countOpen) },
            // If no rule blocks messages, it would be a column of zeros.
            ...(report.skipped > 0
              ? [{ label: texts("report.tile.skipped"), tone: "none" as const, values: skipped }]
              : []),
            { label: texts("report.tile.failed"), tone: "bad", values: steps.map((each) => each.failed) },
          ]}
        />
      )}
      {report.replies + report.optOuts > 0 && (
        <Chart
          {...axis}
          title={texts(`report.repliesBy.${step}`)}
          kind="lines"
          series={[
            { label: texts("report.tile.replies"), tone: "in", values: steps.map((each) => each.replies) },
            { label: texts("report.tile.optOuts"), tone: "bad", values: steps.map((each) => each.optOuts) },
          ]}
        />
      )}
      {reasons.length > 0 && <Reasons reasons={reasons} failed={report.failed} />}
      {report.messages > 0 && (
        <>
          <NamedTable
            name="nodes"
            columns={["node", "messages", "delivered", "failed"]}
            rows={nodes.map((each) => [
              nodeLabel(each.node),
              ...[each.messages, each.delivered, each.failed].map(formatCount),
            ])}
          />
          <NamedTable
            name="rows"
            columns={["channel", "outcome", "delivery", "count"]}
            rows={rows.map(({ channel, outcome, delivery, count }) => [
              channelName(channel),
              texts(outcomeKey(outcome)),
              delivery === "none" ? texts("report.noReport") : deliveryWord(delivery),
              formatCount(count),
            ])}
          />
        </>
      )}
    </>
  );
}
