import { REAL_TIMING } from "../../lib/gateway/http/timing";

/**
 * How time passes for pauses, back-offs and tokens of the code under test: by 20 they take a twentieth.
 * @returns ends that
 */
export function hurry(factor: number): () => void {
  const real = { ...REAL_TIMING };
  const start = real.now();
  Object.assign(REAL_TIMING, {
    now: () => start + (real.now() - start) * factor,
    elapsed: () => real.elapsed() * factor,
    sleep: (ms: number, gate: never) => real.sleep(ms / factor, gate),
  });
  return () => void Object.assign(REAL_TIMING, real);
}
