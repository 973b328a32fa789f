import { type Judged, type Observations, RULES, type Rule } from "./judge";

/** ms before and after a message in which disturbances belong to its story. */
const MARGIN = 2_000;
const MAX_STORIES = 3;

function tellStory(o: Observations, subject: string): readonly string[] {
  const message = o.messages.get(subject);
  const needles = [JSON.stringify(subject), ...(message?.numbers.slice(0, MAX_STORIES) ?? [])];
  const isOf = (text: string): boolean => needles.some((needle) => text.includes(needle));
  const seen = [...o.requests, ...o.acceptances, ...o.results, ...o.waits, ...o.events, ...o.digests];
  const entries = message === undefined ? seen : [{ ...message, at: message.handedAt }, ...seen];
  const told = entries.map((entry) => ({ at: entry.at, text: JSON.stringify(entry) }));
  const moments = told.filter(({ text }) => isOf(text));
  const times = moments.map(({ at }) => at);
  const [first, last] = [Math.min(...times) - MARGIN, Math.max(...times) + MARGIN];
  for (const { kind, node, from, to } of o.disturbances.filter(
    (each) => each.from < last && each.to > first,
  )) {
    const what = `${kind}${node === null ? "" : ` (${node})`}`;
    moments.push({ at: from, text: `[${what} begins` }, { at: to, text: `${what} ends]` });
  }
  const rows = o.history.map((row) => JSON.stringify(row)).filter(isOf);
  return [
    ...moments.sort((a, b) => a.at - b.at).map(({ at, text }) => `  ${new Date(at).toISOString()} ${text}`),
    ...rows.map((row) => `  history ${row}`),
  ];
}

export function tellVerdicts({ observed, verdicts }: Judged): string {
  return RULES.flatMap((rule) => {
    const all = verdicts.filter((verdict) => verdict.rule === rule);
    return all.slice(0, MAX_STORIES).flatMap(({ subject, what }, index) => {
      return [`${rule} (${index + 1} of ${all.length}): ${subject} ${what}`, ...tellStory(observed, subject)];
    });
  }).join("\n");
}

export function toTable(runs: readonly Judged[]): string {
  const rows = runs.map(({ observed: o, verdicts }): Readonly<Record<string, number | string>> => {
    const count = (...rules: readonly Rule[]) => verdicts.filter(({ rule }) => rules.includes(rule)).length;
    const [twice, lost, without] = [
      count("twice"),
      count("lost"),
      count("without outcome", "result missing"),
    ];
    return {
      storage: o.storage,
      disturbances: o.disturbances.length,
      messages: o.messages.size,
      recipients: [...o.messages.values()].flatMap(({ numbers }) => numbers).length,
      "accepted by the service": o.acceptances.length,
      unknown: o.results.filter(({ outcome }) => outcome === "unknown").length,
      "results restored": o.results.filter(({ restored }) => restored).length,
      events: o.made.length,
      digests: o.digests.length,
      ...{
        twice,
        lost,
        "without outcome": without,
        "other breaches": verdicts.length - twice - lost - without,
      },
    };
  });
  const heads = Object.keys(rows[0] ?? {});
  const rule = heads.map((head) => (head === "storage" ? "---" : "--:"));
  const cells = rows.map((row) => Object.values(row).map(String));
  return [heads, rule, ...cells].map((line) => `| ${line.join(" | ")} |`).join("\n");
}
