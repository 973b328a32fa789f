import { type ActivityMinute, MINUTES } from "../../shared/activity";
import { el } from "./dom";
import { formatMoment } from "../dialog/locale";
import { texts } from "./formatting";
import { dot } from "./parts";

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 40;
const BAR = 0.78;
/** Minimum height of a bar, so that one message among thousands is visible. */
const LEAST = 2;

/** From the bottom up, with their colours. */
const PARTS = [
  ["accepted", "good"],
  ["received", "in"],
  ["failed", "bad"],
] as const;

/** An element of a picture. */
export function shape(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, String(value));
  }
  return element;
}

const sum = (bucket: ActivityMinute): number => PARTS.reduce((all, [part]) => all + bucket[part], 0);

function tipOf(bucket: ActivityMinute): string {
  const time = formatMoment(bucket.minute * 60_000, { hour: "2-digit", minute: "2-digit" });
  const parts = PARTS.filter(([part]) => bucket[part] > 0).map(([part]) =>
    texts(`chart.${part}`, { n: bucket[part] }),
  );
  return [time, ...(parts.length > 0 ? parts : [texts("chart.nothing")])].join("\n");
}

/** Bars of the last hour, one per minute, with a legend. */
export class Chart {
  readonly element: HTMLElement;
  readonly #svg: SVGElement;
  readonly #top = el("span", "messaging-activity-top");

  constructor() {
    this.#svg = shape("svg", {
      viewBox: `0 0 ${MINUTES} ${HEIGHT}`,
      preserveAspectRatio: "none",
      role: "img",
    });
    this.#svg.setAttribute("aria-label", texts("chart.title"));
    const legend = PARTS.map(([part, tone]) => el("span", "", dot(tone), texts(`chart.legend.${part}`)));
    this.element = el(
      "div",
      "messaging-activity-chart",
      el("div", "messaging-activity-plot", this.#svg, this.#top),
      el(
        "div",
        "messaging-activity-legend",
        el("span", "", texts("chart.ago")),
        el("span", "messaging-activity-keys", ...legend),
        el("span", "", texts("chart.now")),
      ),
    );
  }

  draw(minutes: readonly ActivityMinute[]): void {
    const most = Math.max(...minutes.map(sum));
    this.#top.textContent = most === 0 ? "" : texts("chart.most", { n: most });
    this.#svg.replaceChildren(...minutes.map((bucket, at) => this.#column(bucket, at, most)));
  }

  #column(bucket: ActivityMinute, at: number, most: number): SVGElement {
    const column = shape("g", {});
    const title = shape("title", {});
    title.textContent = tipOf(bucket);
    // The full height, so that low bars are easy to point at.
    column.append(title, shape("rect", { x: at, y: 0, width: 1, height: HEIGHT, fill: "transparent" }));
    let y = HEIGHT;
    for (const [part, tone] of PARTS) {
      if (bucket[part] > 0) {
        const height = Math.max(LEAST, (bucket[part] / most) * HEIGHT);
        y -= height;
        column.append(
          shape("rect", {
            class: `messaging-activity-bar messaging-activity-${tone}`,
            x: at + (1 - BAR) / 2,
            y,
            width: BAR,
            height,
          }),
        );
      }
    }
    return column;
  }
}
