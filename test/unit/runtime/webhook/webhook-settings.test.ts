import assert from "node:assert/strict";
import { WEBHOOK_VALUES } from "../../../../lib/shared/fields/webhook-defaults";
import { withInitialValues } from "../../../../lib/shared/fields/initial-values";
import {
  readWebhookSettings,
  type WebhookConfig,
  type WebhookCredentials,
} from "../../../../lib/runtime/webhook/webhook-settings";

const read = (given: Partial<WebhookConfig> = {}, credentials: WebhookCredentials = { secret: "s" }) =>
  readWebhookSettings("abc123", withInitialValues(WEBHOOK_VALUES, given), credentials);

describe("settings of a webhook", () => {
  it("have sensible values where nothing was typed", () => {
    const auth = { method: "query", secrets: ["s"] };
    assert.deepEqual(read(), {
      path: "/messaging/abc123",
      gates: { auth, allowed: "", proxyHops: 0, sizeLimit: 262_144, bodyTimeout: 10_000 },
      receiver: { kind: "inbound", channel: null, flowDecidesWithin: null },
      memory: { age: 172_800_000, most: 20_000 },
      optOuts: read({ optOutWords: true }).optOuts,
      publicAddress: "",
      hasSecret: true,
    });
  });

  it("take what was typed, as numbers or as texts", () => {
    const typed = read({
      ...{ kind: "status", path: "hooks/one/", auth: "header", headerName: " X-Hook " },
      ...{ allowedAddresses: "10.0.0.0/8", proxyHops: "1", publicAddress: "https://hooks.example.com/" },
      ...{ acknowledge: "flow", ackTimeout: "2.5", sizeLimit: 1, bodyTimeout: 3 },
      ...{ rememberHours: 1, rememberMost: "100" },
    });
    const auth = { method: "header", name: "x-hook", secrets: ["s"] };
    assert.deepEqual(typed, {
      path: "/hooks/one",
      gates: { auth, allowed: "10.0.0.0/8", proxyHops: 1, sizeLimit: 1024, bodyTimeout: 3000 },
      receiver: { kind: "status", channel: null, flowDecidesWithin: 2500 },
      memory: { age: 3_600_000, most: 100 },
      optOuts: null,
      publicAddress: "https://hooks.example.com",
      hasSecret: true,
    });
  });

  it("have stop words where they are on, of inbound messages only", () => {
    const wrong = { stopWords: "" };
    for (const config of [
      { ...wrong, optOutWords: false },
      { ...wrong, optOutWords: true, kind: "status" },
    ]) {
      assert.equal(read(config).optOuts, null);
    }
    const initial = read({ optOutWords: true }).optOuts;
    assert.deepEqual(
      ["Arrêt", "Anmelden", "hello"].map((text) => initial?.words.recognise(text)),
      ["stop", "start", null],
    );
    assert.equal(initial?.scope, "all");
    const typed = read({
      optOutWords: true,
      stopWords: "Ruhe",
      startWords: "",
      optOutScope: "advertisement",
    });
    assert.deepEqual(
      ["ruhe!", "stop", "start"].map((text) => typed.optOuts?.words.recognise(text)),
      ["stop", null, null],
    );
    assert.equal(typed.optOuts?.scope, "advertisement");
  });

  const SECRETS: readonly [string, Partial<WebhookConfig>, WebhookCredentials, unknown, boolean][] = [
    ["both secrets", {}, { secret: "a", secondSecret: "b" }, { method: "query", secrets: ["a", "b"] }, true],
    ["no blank secret", {}, { secret: "", secondSecret: "b" }, { method: "query", secrets: ["b"] }, true],
    ["no secret", {}, {}, { method: "query", secrets: [] }, false],
    ["no authentication", { auth: "none" }, {}, { method: "none" }, true],
    [
      "two passwords of one user",
      { auth: "basic" },
      { username: "u", password: "p", secondPassword: "q" },
      { method: "basic", users: ["p", "q"].map((password) => ({ username: "u", password })) },
      true,
    ],
    ["a user without password", { auth: "basic" }, { username: "u" }, { method: "basic", users: [] }, false],
    ["a password without user", { auth: "basic" }, { password: "p" }, { method: "basic", users: [] }, false],
  ];
  it("take both secrets, and call a webhook open that has none", () => {
    for (const [what, config, credentials, auth, hasSecret] of SECRETS) {
      const settings = read(config, credentials);
      assert.deepEqual([settings.gates.auth, settings.hasSecret], [auth, hasSecret], what);
    }
  });

  const WRONG: readonly [string, Partial<WebhookConfig>, WebhookCredentials, string, RegExp][] = [
    ["a variable that is missing", {}, { secret: "${HOOK_SECRET}" }, "UNRESOLVED_VARIABLE", /HOOK_SECRET/],
    ["a path of a variable", { path: "${HOOK_PATH}" }, {}, "UNRESOLVED_VARIABLE", /path.*HOOK_PATH/],
    ["a path with a query", { path: "/a?b" }, {}, "BAD_SETTING", /no question marks.*'\/a\?b'/],
    ["a path with a tab", { path: "/a\tb" }, {}, "BAD_SETTING", /tabs/],
    ["a path that leads back", { path: "/a/../b" }, {}, "BAD_SETTING", /a part “\.” or “\.\.”/],
    ["a header with a space", { auth: "header", headerName: "my header" }, {}, "BAD_SETTING", /my header/],
    ["an address without scheme", { publicAddress: "hooks.example.com" }, {}, "BAD_SETTING", /https:\/\//],
    ["a time limit of 0", { acknowledge: "flow", ackTimeout: 0 }, {}, "BAD_SETTING", /from 1 to 300/],
    ["half a proxy", { proxyHops: 0.5 }, {}, "BAD_SETTING", /whole number from 0 to 10/],
    ["no stop word", { optOutWords: true, stopWords: " ,\n" }, {}, "BAD_SETTING", /stop words.*is empty/],
    [
      "a start word of dots",
      { optOutWords: true, startWords: "a, ..." },
      {},
      "BAD_SETTING",
      /start words.*'\.\.\.'/,
    ],
    [
      "a stop word that is too long",
      { optOutWords: true, stopWords: "x".repeat(101) },
      {},
      "BAD_SETTING",
      /more than 100 characters/,
    ],
    [
      "a stop word that is a start word",
      { optOutWords: true, stopWords: "halt", startWords: "Go, HALT!" },
      {},
      "BAD_SETTING",
      /'HALT!'.*also a stop word/,
    ],
    [
      "stop words of a variable",
      { optOutWords: true, stopWords: "${WORDS}" },
      {},
      "UNRESOLVED_VARIABLE",
      /WORDS/,
    ],
    ["too large a limit", { sizeLimit: 1e9 }, {}, "BAD_SETTING", /size limit.*4096/],
  ];
  it("refuse a line break in a secret, a user name and a password", () => {
    for (const [auth, credentials] of [
      ["query", { secret: "s\r" }],
      ["header", { secret: "s", secondSecret: "t\n" }],
      ["basic", { username: "anna\n", password: "p" }],
      ["basic", { username: "anna", password: "p\r" }],
    ] as const) {
      assert.throws(() => read({ auth }, credentials), { code: "BAD_SETTING", message: /line break/ });
    }
  });

  it("refuse what cannot be read, and say why", () => {
    for (const [, config, credentials, code, text] of WRONG) {
      assert.throws(() => read(config, credentials), { name: "SetupError", code, message: text });
    }
  });
});
