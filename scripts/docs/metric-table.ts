import { METRICS } from "../../lib/runtime/log/open-metrics";
import { say } from "../../lib/texts/say";
import { markdownTable } from "./markdown-table";
import type { TableWords } from "./table-words/table-words";

/** The table of the page about metrics. It is made in the language of the words. */
export const metricTable = (words: TableWords): Readonly<Record<string, () => string>> => ({
  metrics: () =>
    markdownTable(
      words.metricHead,
      METRICS.map(({ name, help, label }) => [
        `\`${name}\``,
        label === undefined
          ? ""
          : `\`${label.name}\`: ${label.words.map((word) => `\`${word}\``).join(", ")}`,
        say(help),
      ]),
    ),
});
