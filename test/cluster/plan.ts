import type { SeededRandom } from "../support/crash/seeded-random";
import type { DisturbanceKind } from "./disturbances";

/** Something that will be done. */
export interface Step {
  readonly kind: DisturbanceKind;
  /** ms for which it lasts; 0 for what is over at once. */
  readonly ms: number;
  /** ms before it. */
  readonly after: number;
  /** Position of its Node-RED; null for any that nothing else is done to. */
  readonly node: number | null;
  /** Of a deploy: the new rate; null leaves it. */
  readonly requestsPerSecond: number | null;
}

/** Steps one after the other. Lanes go on beside each other, each at Node-REDs that the others leave alone. */
export type Lane = readonly Step[];

const step = (kind: DisturbanceKind, given: Partial<Step> = {}): Step => ({
  kind,
  ms: 0,
  after: 0,
  node: null,
  requestsPerSecond: null,
  ...given,
});

/** Longer than the lease of 60 s, and the time until somebody looks. */
const longer = (random: SeededRandom): number => random.between(66_000, 80_000);

function shuffled<Entry>(random: SeededRandom, entries: readonly Entry[]): readonly Entry[] {
  const left = [...entries];
  return entries.map(() => left.splice(random.between(0, left.length - 1), 1)[0] as Entry);
}

/**
 * In little more than the lease: every Node-RED is killed or stopped for longer than it right away, and everything else goes on while
 * the others wait for it.
 */
export function shortPlan(random: SeededRandom): readonly Lane[] {
  const soon = (kind: DisturbanceKind, given: Partial<Step> = {}): Step =>
    step(kind, { after: random.between(200, 1_000), ...given });
  return [
    [soon("freeze", { ms: 64_000 })],
    [soon("kill", { after: random.between(1_000, 2_000) })],
    [soon("kill", { after: random.between(2_000, 4_000) })],
    [
      soon("crash", { after: random.between(8_000, 12_000), ms: 500 }),
      soon("deploy"),
      soon("deployList"),
      soon("interrupt", { ms: 3_000 }),
      soon("restart", { ms: 1_500 }),
      soon("stall", { ms: 3_000 }),
      soon("pausedStore", { ms: 3_000 }),
    ],
  ];
}

/**
 * The full form.
 * @param count Node-REDs
 * @param lists long lists
 */
export function fullPlan(random: SeededRandom, kills: number, count: number, lists: number): readonly Lane[] {
  const repeat = (times: number, kind: DisturbanceKind, ms: () => number = () => 0): readonly Step[] =>
    Array.from({ length: times }, () => step(kind, { ms: ms(), after: random.between(1_000, 8_000) }));
  const mixed = shuffled(random, [
    ...repeat(3, "freeze", () => longer(random)),
    ...repeat(2, "pause", () => random.between(2_000, 15_000)),
    ...repeat(2, "cut", () => longer(random)),
    ...repeat(4, "interrupt", () => random.between(1_000, 20_000)),
    ...repeat(2, "stall", () => random.between(3_000, 20_000)),
    ...repeat(2, "deploy"),
    ...repeat(lists, "deployList"),
    ...repeat(2, "restart", () => random.between(500, 10_000)),
    ...repeat(3, "crash", () => random.between(0, 5_000)),
    ...repeat(1, "frozenStore", () => longer(random)),
    ...repeat(2, "pausedStore", () => random.between(2_000, 15_000)),
  ]);
  const middle = Math.floor(mixed.length / 2);
  // The other half of the run is without a limit.
  const faster = Array.from({ length: count }, (_none, node) =>
    step("deploy", { node, requestsPerSecond: 0 }),
  );
  return [
    [...mixed.slice(0, middle), ...faster, ...mixed.slice(middle)],
    Array.from({ length: kills }, () => step("kill", { after: random.between(0, 8_000) })),
  ];
}
