/** Checks that external input is an object. Throws a TypeError otherwise. */
export function requireObject(what: string, input: unknown): Record<string, unknown> {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new TypeError(`${what}: must be an object`);
  }
  return { ...input };
}

/** Checks an object with exactly these fields, all non-empty strings. Throws a TypeError otherwise. */
export function requireText<Name extends string>(
  what: string,
  input: unknown,
  names: readonly Name[],
): Record<Name, string> {
  const given = requireObject(what, input);
  refuseOthers(what, given, names);
  for (const name of names) {
    if (typeof given[name] !== "string" || given[name] === "") {
      throw new TypeError(`${what}: ${name} must be a non-empty string`);
    }
  }
  return given as Record<Name, string>;
}

/** Whether a value is valid. */
export type Test = (value: unknown) => boolean;

/** Checks the fields of an object. Throws a TypeError that names one that is unknown, missing or not valid. */
export function requireValid(
  what: string,
  given: Readonly<Record<string, unknown>>,
  tests: Readonly<Record<string, Test>>,
  required: readonly string[] = [],
): void {
  refuseOthers(what, given, Object.keys(tests));
  for (const [name, test] of Object.entries(tests)) {
    const missing = given[name] === undefined;
    if (missing && required.includes(name)) throw new TypeError(`${what}: ${name} is missing`);
    if (!missing && !test(given[name])) throw new TypeError(`${what}: ${name} is not valid`);
  }
}

/** Throws a TypeError for a field that is not in the list. */
export function refuseOthers(what: string, given: object, names: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new TypeError(`${what}: unknown field ${unknown}`);
}
