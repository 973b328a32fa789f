import assert from "node:assert/strict";
import { findPathOwner } from "../../../../lib/editor/webhook/path-owner";
import { type WebhookAddress, webhookUrl } from "../../../../lib/editor/webhook/webhook-url";

const BLANK: WebhookAddress = {
  publicAddress: "",
  origin: "http://localhost:1880",
  httpNodeRoot: "/",
  path: "",
  nodeId: "a1",
  secret: null,
};

describe("the address to register", () => {
  const ROWS: readonly [what: string, parts: Partial<WebhookAddress>, address: string][] = [
    ["of a new node", { secret: "a/b" }, "http://localhost:1880/messaging/a1?secret=a%2Fb"],
    ["below httpNodeRoot", { httpNodeRoot: "/api/" }, "http://localhost:1880/api/messaging/a1"],
    [
      "of a path with letters and a space",
      { path: "/hooks/grüße an uns" },
      "http://localhost:1880/hooks/gr%C3%BC%C3%9Fe%20an%20uns",
    ],
    [
      "of a path that has its escapes already",
      { path: "hooks/gr%c3%bc%c3%9fe%20an%20uns/" },
      "http://localhost:1880/hooks/gr%C3%BC%C3%9Fe%20an%20uns",
    ],
    [
      "below a public address with letters",
      { publicAddress: " https://Müller.example:443/mein pfad/ ", path: "ü" },
      "https://xn--mller-kva.example/mein%20pfad/%C3%BC",
    ],
    ["below what is no address yet", { publicAddress: "https://" }, "https:/messaging/a1"],
    ["of a path that is a variable", { path: "${HOOK}" }, "http://localhost:1880/${HOOK}"],
    ["of a path with braces", { path: "{a}" }, "http://localhost:1880/%7Ba%7D"],
  ];
  for (const [what, parts, address] of ROWS) {
    it(what, () => assert.equal(webhookUrl({ ...BLANK, ...parts }), address));
  }

  it("is unchanged by a URL parser", () => {
    const shown = webhookUrl({ ...BLANK, path: "/a (1)/100%/你好/a+b/%2F|^`", secret: "s'\"<>" });
    assert.equal(new URL(shown).href, shown.replaceAll("'", "%27"));
  });
});

describe("a typed path", () => {
  const others = [
    { id: "a1", type: "messaging-webhook-in", path: "/own" },
    { id: "b2", type: "messaging-webhook-in", path: "/hooks/a b" },
    { id: "c3", type: "messaging-webhook-in", d: true, path: "/off" },
    { id: "d4", type: "http in", path: "/other" },
    { id: "e5", type: "messaging-webhook-in", path: "" },
  ];
  const ROWS: readonly [typed: string, owner: string | null][] = [
    ["", null],
    ["/own", null],
    ["/off", null],
    ["/other", null],
    ["/hooks/b", null],
    ["/hooks/a b", "b2"],
    ["/Hooks/A%20B/", "b2"],
    ["messaging/E5", "e5"],
  ];
  for (const [typed, owner] of ROWS) {
    it(`${JSON.stringify(typed)} belongs to ${owner ?? "nobody else"}`, () => {
      assert.equal(findPathOwner(typed, "a1", others)?.id ?? null, owner);
    });
  }
});
