import assert from "node:assert/strict";

/** A metric family of a text. */
export interface MetricFamily {
  readonly type: string;
  readonly unit: string | null;
  readonly help: string;
  /** Values by their labels, as `a="b",c="d"`; blank for none. */
  readonly samples: ReadonlyMap<string, number>;
}

const META = /^# (TYPE|UNIT|HELP) (messaging_[a-z_]+) (.+)$/;
const LABEL = '[a-z_]+="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const SAMPLE = new RegExp(`^(messaging_[a-z_]+)(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (-?\\d+(?:\\.\\d+)?)$`);

/**
 * Reads gauges of OpenMetrics text 1.0 strictly: families are not interleaved, type and help stand before the samples, a unit ends the
 * name, no sample is there twice, and the end is marked.
 * @throws AssertionError for what a scraper would refuse
 */
export function parseOpenMetrics(text: string): ReadonlyMap<string, MetricFamily> {
  const lines = text.split("\n");
  assert.deepEqual(lines.splice(-2), ["# EOF", ""]);
  const families = new Map<string, MetricFamily & { readonly samples: Map<string, number> }>();
  for (const line of lines) {
    const [, kind, named = ""] = META.exec(line) ?? [];
    const [, sampled = named, labels = "", number] = SAMPLE.exec(line) ?? [];
    assert.notEqual(sampled, "", `no line of the format: ${line}`);
    const family = families.get(sampled) ?? { type: "", unit: null, help: "", samples: new Map() };
    assert.ok(!families.has(sampled) || [...families.keys()].at(-1) === sampled, `${sampled} is there twice`);
    families.set(sampled, family);
    if (kind !== undefined) {
      assert.equal(family.samples.size, 0, `${kind} of ${named} after its samples`);
      Object.assign(family, { [kind.toLowerCase()]: META.exec(line)?.[3] });
    } else {
      assert.ok(!family.samples.has(labels), `${line} is there twice`);
      family.samples.set(labels, Number(number));
    }
  }
  for (const [name, { type, unit, help, samples }] of families) {
    assert.deepEqual([type, help !== "", samples.size > 0], ["gauge", true, true], name);
    assert.equal(/_(seconds|bytes)$/.exec(name)?.[1] ?? null, unit, name);
  }
  return families;
}
