import assert from "node:assert/strict";

/** A metric family of a text. */
export interface MetricFamily {
  readonly type: string;
  readonly unit: string | null;
  readonly help: string;
  /** Values by their labels, as `a="b",c="d"`; blank for none. */
  readonly samples: ReadonlyMap<string, number>;
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const ESCAPED = '(?:[^"\\\\\\n]|\\\\["\\\\n])*';
const LABEL = `[a-zA-Z_][a-zA-Z0-9_]*="${ESCAPED}"`;
const META = new RegExp(`^# (TYPE|UNIT|HELP) (${NAME}) (.*)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (-?\\d+(?:\\.\\d+)?)$`);

/**
 * Reads OpenMetrics text 1.0 as strictly as its grammar says, as far as gauges go: families are not interleaved, each with its type and
 * help before its samples, a unit is the end of the name, no sample is there twice, and the end is marked.
 * @throws AssertionError for what a scraper would refuse
 */
export function parseOpenMetrics(text: string): ReadonlyMap<string, MetricFamily> {
  assert.ok(text.endsWith("\n# EOF\n"), "the end is not marked");
  assert.doesNotMatch(text, /\r|\n\n/);
  const families = new Map<string, MetricFamily & { readonly samples: Map<string, number> }>();
  let current = "";
  for (const line of text.slice(0, -"# EOF\n".length).split("\n").slice(0, -1)) {
    const [, kind, name = "", value = ""] = META.exec(line) ?? [];
    if (kind !== undefined) {
      if (name !== current) {
        assert.ok(!families.has(name), `${name} is there twice`);
        families.set(name, { type: "", unit: null, help: "", samples: new Map() });
        current = name;
      }
      const family = families.get(name);
      assert.equal(family?.samples.size, 0, `${kind} of ${name} after its samples`);
      Object.assign(family ?? {}, { [kind.toLowerCase()]: value });
      continue;
    }
    const [, sampled, labels = "", number] = SAMPLE.exec(line) ?? [];
    assert.ok(sampled !== undefined, `no line of the format: ${line}`);
    assert.equal(sampled, current, "a sample of another family");
    const samples = families.get(sampled)?.samples;
    assert.ok(!samples?.has(labels), `${line} is there twice`);
    samples?.set(labels, Number(number));
  }
  for (const [name, { type, unit, help, samples }] of families) {
    assert.equal(type, "gauge", name);
    assert.ok(help !== "" && samples.size > 0, name);
    assert.match(name, /^messaging_[a-z]+(?:_[a-z]+)*$/);
    assert.ok(unit === null || name.endsWith(`_${unit}`), `${name} has the unit ${unit}`);
    assert.equal(unit !== null, /_(?:seconds|bytes)$/.test(name), `${name} has a unit in its name alone`);
  }
  return families;
}
