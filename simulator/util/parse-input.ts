import type { z } from "zod";

/** Checks and copies external input. Throws a TypeError that names the first invalid field. */
export function parseInput<Output>(what: string, schema: z.ZodType<Output>, input: unknown): Output {
  const { data, error } = schema.safeParse(input);
  if (!error) return data as Output;
  const [issue] = error.issues;
  throw new TypeError(`${[what, ...(issue?.path ?? [])].join(".")}: ${issue?.message}`);
}
