/** @returns the segments that `{name}` stands for; null if the path does not match */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name !== undefined && value !== "") parameters[name] = value;
    else if (segment !== value) return null;
  }
  return parameters;
}
