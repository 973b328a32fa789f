/** A path with one slash in front and none behind, and no doubled ones: how paths are compared. */
export function trimPath(path: string): string {
  const trimmed = path.replace(/\/{2,}/g, "/").replace(/\/$/, "");
  return trimmed.startsWith("/") || trimmed === "" ? trimmed : `/${trimmed}`;
}

/** The spelling under which paths are compared, whether or not they are escaped. */
export function plainPath(path: string): string {
  const trimmed = trimPath(path);
  try {
    return decodeURI(trimmed);
  } catch {
    return trimmed;
  }
}

/** Path of a webhook-in node below `httpNodeRoot`: its own, or one made of its id. */
export function webhookPath(typed: string | undefined, nodeId: string): string {
  return trimPath((typed ?? "").trim()) || `/messaging/${nodeId}`;
}
