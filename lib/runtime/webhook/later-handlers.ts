import type { RouteLayer } from "./route-conflict";

/** Number of parameters of an Express error handler. */
const ERROR_HANDLER_PARAMETERS = 4;

/** Express lets a route answer OPTIONS as well, and HEAD where the route has GET. */
function mayAnswer({ route, handle }: RouteLayer, method: string): boolean {
  if (route === undefined) {
    return typeof handle === "function" && handle.length < ERROR_HANDLER_PARAMETERS;
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
 * Whether an Express application may still answer a request that has reached this handler: by a later handler or, for
 * OPTIONS, with the methods of matching routes, which Express collects and answers with at the end.
 * @param path path of the request, still percent-encoded
 */
export function mayAnswerLater(
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
