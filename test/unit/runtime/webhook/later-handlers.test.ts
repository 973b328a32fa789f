import assert from "node:assert/strict";
import type { RouteLayer } from "../../../../lib/runtime/webhook/route-conflict";
import { mayAnswerLater } from "../../../../lib/runtime/webhook/later-handlers";

const own = (): void => {};
const OWN: RouteLayer = { handle: own, regexp: /^\/?(?=\/|$)/i };
const route = (path: string, ...methods: string[]): RouteLayer => ({
  handle: () => {},
  regexp: new RegExp(`^${path}/?$`, "i"),
  route: { path, methods: Object.fromEntries(methods.map((method) => [method, true])) },
});
const everywhere = /^\/?(?=\/|$)/i;
const page: RouteLayer = { handle: (_req: unknown, _res: unknown) => {}, regexp: everywhere };
const errorPage: RouteLayer = {
  handle: (_error: unknown, _req: unknown, _res: unknown, _next: unknown) => {},
  regexp: everywhere,
};

describe("handlers behind that of the webhooks", () => {
  const ROWS: readonly [what: string, stack: RouteLayer[], method: string, may: boolean][] = [
    ["none", [OWN], "GET", false],
    ["a route in front, which had its turn", [route("/a", "get"), OWN], "GET", false],
    ["a route for this method", [OWN, route("/a", "get")], "GET", true],
    ["a route for this method, asked for the head", [OWN, route("/a", "get")], "HEAD", true],
    ["a route for another method", [OWN, route("/a", "put")], "GET", false],
    ["a route for all methods", [OWN, route("/a", "_all")], "DELETE", true],
    ["a route for another path", [OWN, route("/b", "get")], "GET", false],
    ["a page for everything", [OWN, page], "GET", true],
    ["a page for errors", [OWN, errorPage], "GET", false],
    ["a route behind, whose methods OPTIONS asks for", [OWN, route("/a", "put")], "OPTIONS", true],
    ["a route in front, whose methods Express has noted", [route("/a", "get"), OWN], "OPTIONS", true],
    ["a page in front", [page, OWN], "OPTIONS", false],
  ];
  for (const [what, stack, method, may] of ROWS) {
    it(`${what}: ${method} ${may ? "may be" : "is not"} answered by them`, () => {
      assert.equal(mayAnswerLater(stack, own, method, "/A/"), may);
    });
  }
});
