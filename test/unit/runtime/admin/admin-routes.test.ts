import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeAPI } from "node-red";
import { ADMIN_ROUTES } from "../../../support/node-red/admin-routes";
import { ROOT } from "../../../support/locales/locale-files";

interface Manifest {
  readonly "node-red": { readonly nodes: Readonly<Record<string, string>> };
}

type Handler = (request: object, response: object, next: () => void) => void;

interface Registered {
  /** Method, path and permission. */
  readonly route: string;
  readonly handlers: readonly unknown[];
}

/** Has every node of the package registered with a Node-RED that only notes what is added to its admin app. */
function registered(): Registered[] {
  const found: Registered[] = [];
  const gates: [path: string, Handler][] = [];
  const httpAdmin = new Proxy(
    {},
    {
      get:
        (_app, method) =>
        (path: unknown, ...handlers: unknown[]): void => {
          if (method === "use") {
            gates.push([String(path), handlers[0] as Handler]);
            return;
          }
          const permission = handlers.length === 3 ? String(handlers[1]) : `${handlers.length} handlers`;
          found.push({ route: `${String(method).toUpperCase()} ${String(path)} ${permission}`, handlers });
        },
    },
  );
  const RED = {
    _: (key: string) => key,
    events: new EventEmitter(),
    nodes: { registerType: () => {} },
    settings: {},
    log: { warn: () => {} },
    httpAdmin,
    auth: { needsPermission: (permission: string) => permission },
  } as unknown as NodeAPI;
  const { "node-red": parts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
  for (const built of Object.values(parts.nodes)) {
    const source = built.replace(/^dist\//, "").replace(/\.js$/, ".ts");
    const { default: register } = require(join(ROOT, source)) as { default: (RED: NodeAPI) => void };
    register(RED);
  }
  assert.equal(found.length, 0, "before a route is asked for");
  for (const [prefix, open] of gates) {
    open({}, {}, () => {});
    open({}, {}, () => {});
    for (const { route } of found) assert.ok(route.split(" ")[1]?.startsWith(`${prefix}/`), route);
  }
  return found;
}

describe("admin routes of the package", () => {
  it("adds only the listed routes, each with its permission", () => {
    assert.deepEqual(
      registered()
        .map(({ route }) => route)
        .sort(),
      ADMIN_ROUTES.map(({ method, pattern, permission }) => `${method} ${pattern} ${permission}`).sort(),
    );
  });

  it("refuses pages of other origins before any other check", () => {
    const page = { host: ["localhost:1880"], origin: ["https://evil.example"] };
    for (const { route, handlers } of registered()) {
      const seen: unknown[] = [];
      const response = { status: (code: number) => ({ end: () => seen.push(code) }) };
      (handlers[0] as Handler)({ headersDistinct: page }, response, () => seen.push("next"));
      assert.deepEqual(seen, [403], route);
    }
  });
});
