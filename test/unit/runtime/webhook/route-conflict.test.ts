import assert from "node:assert/strict";
import { findRouteConflict, type RouteLayer } from "../../../../lib/runtime/webhook/route-conflict";

/** A route as Express keeps it: its expression knows no case, and allows a slash at the end. */
const route = (path: string, method = "post"): RouteLayer => ({
  handle: () => {},
  regexp: new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}/?$`, "i"),
  route: { path, methods: { [method]: true } },
});
const app = (path: string, ...stack: RouteLayer[]) => ({ _router: { stack }, path: () => path });

describe("routes of others", () => {
  type Row = readonly [adminRoot: string, nodeRoot: string, path: string, found: "editor" | "node" | null];
  const nodeRoutes = [route("/plain"), route("/letters/%C3%BC"), route("/raw/ü"), route("/page", "get")];
  const ROWS: readonly Row[] = [
    ["/admin", "", "/admin/flows", "editor"],
    ["/admin", "", "/Admin/Flows", "editor"],
    ["/admin", "", "/ADMIN/flows/", "editor"],
    ["/admin", "", "//admin//flows", "editor"],
    ["/admin", "", "/%61dmin/fl%6Fws", "editor"],
    ["/Admin/", "", "/admin/flows", "editor"],
    ["/verwaltung ä", "", "/Verwaltung%20%c3%a4/flows", "editor"],
    ["/admin", "", "/admin/own/7", "editor"],
    ["/admin", "", "/Admin/OWN/7/", "editor"],
    ["/admin", "", "/administration/flows", null],
    ["/admin", "", "/flows", null],
    ["/admin", "/api", "/Admin/Flows", null],
    ["/api/admin", "/API", "/Admin/Flows", "editor"],
    ["", "", "/FLOWS/", "editor"],
    ["", "", "auth/token", "editor"],
    ["", "", "/RED/x", "editor"],
    ["", "/api", "/flows", null],
    ["/admin", "", "/plain", "node"],
    ["/admin", "", "/Plain/", "node"],
    ["/admin", "/api", "/PLAIN", "node"],
    ["/admin", "", "/letters/%c3%bc", "node"],
    ["/admin", "", "/letters/ü", "node"],
    ["/admin", "", "/raw/ü", "node"],
    ["/admin", "", "/page", null],
    ["/admin", "", "/free", null],
  ];
  for (const [adminRoot, nodeRoot, path, found] of ROWS) {
    it(`below ${nodeRoot || "/"}, admin app at ${adminRoot || "/"}: ${path} → ${found ?? "free"}`, () => {
      const admin = app(adminRoot, route("/own/:id"));
      assert.equal(findRouteConflict(app(nodeRoot, ...nodeRoutes), admin, path), found);
    });
  }

  it("are those of nodes where there is no admin app", () => {
    assert.equal(findRouteConflict(app(""), null, "/flows"), null);
    assert.equal(findRouteConflict(app("", route("/Flows")), null, "/flows"), "node");
  });
});
