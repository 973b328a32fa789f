import type { RouteLayer } from "./route-conflict";

/** Parameters of an Express handler that is for errors only. */
const FOR_ERRORS = 4;

/** A route also answers OPTIONS for the methods that it has, and HEAD where it has GET. */
function mayAnswer({ route, handle }: RouteLayer, method: string): boolean {
  if (route === undefined) {
    return typeof handle === "function" && handle.length < FOR_ERRORS;
  }
  const { methods = {} } = route;
  return (
    method === "OPTIONS" ||
    methods._all === true ||
    methods[method.toLowerCase()] === true ||
    (method === "HEAD" && methods.get === true)
  );
}

/**
 * Whether an Express application may still answer a request that came to this handler: by a handler behind it or, asked
 * by OPTIONS, with the methods of routes, which it collects on the way and answers with at the end.
 * @param path as it came, with its escapes
 */
export function mayBeAnsweredLater(
  stack: readonly RouteLayer[],
  handle: unknown,
  method: string,
  path: string,
): boolean {
  const at = stack.findIndex((layer) => layer.handle === handle);
  return stack.some(
    (layer, index) =>
      (index > at || (method === "OPTIONS" && typeof layer.route?.path === "string")) &&
      layer.regexp?.test(path) === true &&
      mayAnswer(layer, method),
  );
}
