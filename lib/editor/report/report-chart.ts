import { shape } from "../activity/chart";
import { Collapsible } from "../activity/collapsible";
import { el } from "../activity/dom";
import { formatCount, texts } from "../activity/formatting";
import { dot } from "../activity/parts";
import { heightOf } from "./report-model";
import { tableOf } from "./report-table";

/** Numbers of the same kind, one for each step. */
export interface Series {
  readonly label: string;
  /** Colour, as the entries of the activity view have it. */
  readonly tone: "good" | "bad" | "in" | "wait" | "none";
  readonly values: readonly number[];
}

export interface ReportChart {
  readonly title: string;
  /** `bars` stand on top of each other, `lines` beside each other. */
  readonly kind: "bars" | "lines";
  /** What a step is called: "day" or "hour". */
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
const LEAST = 2;
/** Pixels of a step; more steps than fit can be scrolled to. */
const NARROWEST = 1.5;

/** A chart, with its numbers as a table behind it that can be opened. */
export function chartOf(chart: ReportChart): HTMLElement {
  const { title, kind, steps, ends, series } = chart;
  const valuesOf = (at: number): readonly number[] => series.map(({ values }) => values[at] ?? 0);
  const sizes = steps.map((_step, at) =>
    valuesOf(at).reduce((size, value) => (kind === "bars" ? size + value : Math.max(size, value)), 0),
  );
  const most = sizes.reduce((max, size) => Math.max(max, size), 0);
  const svg = shape("svg", {
    viewBox: `0 0 ${Math.max(1, steps.length)} ${HEIGHT}`,
    preserveAspectRatio: "none",
    role: "img",
  });
  svg.setAttribute("aria-label", title);
  svg.append(
    ...steps.map((step, at) => {
      const tip = series.map(({ label }, place) => `${label}: ${formatCount(valuesOf(at)[place] ?? 0)}`);
      const column = pointed(at, [step, ...tip].join("\n"));
      if (kind === "bars") {
        column.append(...barsOf(at, series, most));
      }
      return column;
    }),
    ...(kind === "lines" ? series.map((each) => lineOf(each, most)) : []),
  );
  const axis = el("div", "messaging-activity-legend", ...ends.map((end) => el("span", "", end)));
  const whole = el("div", "", el("div", "messaging-activity-plot messaging-report-plot", svg), axis);
  whole.style.minWidth = `${steps.length * NARROWEST}px`;
  const scrolled = el("div", "messaging-report-scrolled", whole);
  // Whoever has no mouse scrolls it by keys.
  scrolled.tabIndex = 0;
  scrolled.setAttribute("role", "group");
  scrolled.setAttribute("aria-label", title);
  const keys = series.map(({ label, tone }) => el("span", "", dot(tone), label));
  return el(
    "div",
    "messaging-report-chart",
    heading(title),
    el("div", "messaging-report-most", texts("report.most", { n: formatCount(most) })),
    scrolled,
    el("div", "messaging-activity-legend messaging-activity-keys", ...keys),
    numbersOf(chart),
  );
}

/** Shows the newest steps of the charts in an element of the page. */
export function showNewest(element: HTMLElement): void {
  for (const each of element.querySelectorAll(".messaging-report-scrolled")) {
    each.scrollLeft = each.scrollWidth;
  }
}

export function heading(text: string): HTMLElement {
  const element = el("div", "messaging-report-heading", text);
  element.setAttribute("role", "heading");
  element.setAttribute("aria-level", "3");
  return element;
}

/** A step in its full height, so that low bars are easy to point at. */
function pointed(at: number, tip: string): SVGElement {
  const column = shape("g", {});
  const title = shape("title", {});
  title.textContent = tip;
  column.append(title, shape("rect", { x: at, y: 0, width: 1, height: HEIGHT, fill: "transparent" }));
  return column;
}

function barsOf(at: number, series: readonly Series[], most: number): readonly SVGElement[] {
  let y = HEIGHT;
  return series
    .filter(({ values }) => (values[at] ?? 0) > 0)
    .map(({ tone, values }) => {
      const height = Math.max(LEAST, heightOf(values[at] ?? 0, most, HEIGHT));
      y = Math.max(0, y - height);
      return shape("rect", {
        class: `messaging-activity-bar messaging-activity-${tone}`,
        x: at + (1 - BAR) / 2,
        y,
        width: BAR,
        height,
      });
    });
}

function lineOf({ tone, values }: Series, most: number): SVGElement {
  const heights = values.map((value) => HEIGHT - 1 - heightOf(value, most, HEIGHT - 2));
  // A single step is a line as wide as it.
  const [only] = heights;
  const points =
    heights.length === 1 ? `0,${only} 1,${only}` : heights.map((y, at) => `${at + 0.5},${y}`).join(" ");
  return shape("polyline", {
    class: `messaging-report-line messaging-report-line-${tone}`,
    points,
    "vector-effect": "non-scaling-stroke",
  });
}

/** The numbers behind a chart; made when somebody opens them. */
function numbersOf({ title, stepTitle, steps, series }: ReportChart): HTMLElement {
  const body = el("div");
  const part = new Collapsible("messaging-report-numbers", [texts("report.numbers")], body, () => {
    if (part.isOpen && body.childElementCount === 0) {
      const rows = steps.map(
        (step, at) => [step, ...series.map(({ values }) => formatCount(values[at] ?? 0))] as const,
      );
      body.append(tableOf(title, [stepTitle, ...series.map(({ label }) => label)], rows));
    }
  });
  return part.element;
}
