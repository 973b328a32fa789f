import { useLayoutEffect, useRef } from "preact/hooks";
import { formatCount, texts, type Tone } from "../shared/format";
import { Dot, Fold } from "../shared/parts";
import { toHeight } from "./report-query";
import { Table } from "./table";

/** Numbers of the same kind, one for each step. */
export interface Series {
  readonly label: string;
  readonly tone: Tone;
  readonly values: readonly number[];
}

export interface ChartProps {
  readonly title: string;
  /** `bars` stand on top of each other, `lines` beside each other. */
  readonly kind: "bars" | "lines";
  /** The word for a step: "day" or "hour". */
  readonly stepTitle: string;
  /** Names of the steps, complete and for the ends of the axis. */
  readonly steps: readonly string[];
  readonly ends: readonly [first: string, last: string];
  /** From the bottom up. */
  readonly series: readonly Series[];
}

const HEIGHT = 60;
const BAR = 0.78;
/** Height of the lowest bar, so that one among thousands is visible. */
const MIN_HEIGHT = 2;
/** Pixels of a step; more steps than fit can be scrolled to. */
const MIN_WIDTH = 1.5;

export const Heading = ({ text }: { readonly text: string }) => <h3 class="messaging-heading">{text}</h3>;

function Bars({ at, series, most }: { at: number; series: readonly Series[]; most: number }) {
  let y = HEIGHT;
  return (
    <>
      {series
        .filter(({ values }) => (values[at] ?? 0) > 0)
        .map(({ label, tone, values }) => {
          const height = Math.max(MIN_HEIGHT, toHeight(values[at] ?? 0, most, HEIGHT));
          y = Math.max(0, y - height);
          const x = at + (1 - BAR) / 2;
          return <rect key={label} class={`messaging-${tone}`} x={x} y={y} width={BAR} height={height} />;
        })}
    </>
  );
}

function LineOf({ series: { tone, values }, most }: { series: Series; most: number }) {
  const heights = values.map((value) => HEIGHT - 1 - toHeight(value, most, HEIGHT - 2));
  // A single step is a line as wide as it.
  const [only] = heights;
  const points =
    heights.length === 1 ? `0,${only} 1,${only}` : heights.map((y, at) => `${at + 0.5},${y}`).join(" ");
  return (
    <polyline
      class={`messaging-chart-line messaging-chart-line-${tone}`}
      points={points}
      vector-effect="non-scaling-stroke"
    />
  );
}

/** A chart, with its numbers as a table that can be opened. */
export function Chart({ title, kind, stepTitle, steps, ends, series }: ChartProps) {
  const scroller = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // The newest steps are in view.
    if (scroller.current) scroller.current.scrollLeft = scroller.current.scrollWidth;
  }, [steps.length]);
  const getValues = (at: number): readonly number[] => series.map(({ values }) => values[at] ?? 0);
  const sizes = steps.map((_step, at) =>
    getValues(at).reduce((size, value) => (kind === "bars" ? size + value : Math.max(size, value)), 0),
  );
  const most = sizes.reduce((max, size) => Math.max(max, size), 0);
  const getTip = (step: string, at: number): string =>
    [step, ...series.map(({ label, values }) => `${label}: ${formatCount(values[at] ?? 0)}`)].join("\n");
  return (
    <div class="messaging-part">
      <Heading text={title} />
      <div class="messaging-chart-most">{texts("report.most", { n: formatCount(most) })}</div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: Users without a mouse scroll it by keys. */}
      <section class="messaging-chart" ref={scroller} tabIndex={0} aria-label={title}>
        <div style={{ minWidth: `${steps.length * MIN_WIDTH}px` }}>
          <svg
            viewBox={`0 0 ${Math.max(1, steps.length)} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={title}
          >
            {steps.map((step, at) => (
              <g key={`${at} ${step}`}>
                <title>{getTip(step, at)}</title>
                {/* The full height, so that low bars are easy to point at. */}
                <rect x={at} y={0} width={1} height={HEIGHT} fill="transparent" />
                {kind === "bars" && <Bars at={at} series={series} most={most} />}
              </g>
            ))}
            {kind === "lines" && series.map((each) => <LineOf key={each.label} series={each} most={most} />)}
          </svg>
          <div class="messaging-axis">
            <span>{ends[0]}</span>
            <span>{ends[1]}</span>
          </div>
        </div>
      </section>
      <div class="messaging-keys">
        {series.map(({ label, tone }) => (
          <span key={label}>
            <Dot tone={tone} />
            {label}
          </span>
        ))}
      </div>
      <Fold class="messaging-numbers" head={texts("report.numbers")}>
        {() => (
          <Table
            name={title}
            titles={[stepTitle, ...series.map(({ label }) => label)]}
            rows={steps.map((step, at) => [step, ...getValues(at).map(formatCount)])}
          />
        )}
      </Fold>
    </div>
  );
}
