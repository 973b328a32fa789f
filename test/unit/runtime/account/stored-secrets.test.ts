import assert from "node:assert/strict";
import {
  chooseSecrets,
  type Secret,
  STAND_IN,
  type SecretTexts,
  type SecretDestination,
} from "../../../../lib/runtime/account/stored-secrets";
import {
  neededSecrets,
  replaceVariables,
  draftAccount,
  secretDestinationOf,
} from "../../../../lib/runtime/account/draft-account";

const HERE: SecretDestination = {
  service: "https://api.example.com",
  token: "https://auth.example.com",
  tls: "",
  proxy: "",
};
const STORED: SecretTexts = {
  username: "me",
  password: "stored-pw",
  accessToken: "stored-at",
  clientId: "c",
  clientSecret: "stored-cs",
};
const DEPLOYED = { way: HERE, secrets: STORED };
const BASIC: readonly Secret[] = ["username", "password"];
const CLIENT: readonly Secret[] = ["clientId", "clientSecret"];

type Row = readonly [
  title: string,
  typed: SecretTexts,
  needed: readonly Secret[],
  way: SecretDestination,
  deployed: typeof DEPLOYED | null,
  expected: SecretTexts | readonly Secret[],
];

const kept = { username: "me", password: STAND_IN };
const client = { clientId: "c", clientSecret: STAND_IN };

const ROWS: readonly Row[] = [
  ["stored, deployed way", kept, BASIC, HERE, DEPLOYED, { username: "me", password: "stored-pw" }],
  [
    "typed, deployed way",
    { username: "me", password: "typed" },
    BASIC,
    HERE,
    DEPLOYED,
    { username: "me", password: "typed" },
  ],
  [
    "typed, other address",
    { username: "me", password: "typed" },
    BASIC,
    { ...HERE, service: "https://evil.example" },
    DEPLOYED,
    { username: "me", password: "typed" },
  ],
  [
    "typed, never deployed",
    { username: "me", password: "typed" },
    BASIC,
    HERE,
    null,
    { username: "me", password: "typed" },
  ],
  [
    "stored, other service address",
    kept,
    BASIC,
    { ...HERE, service: "https://evil.example" },
    DEPLOYED,
    ["password"],
  ],
  [
    "stored, other path at the same host",
    kept,
    BASIC,
    { ...HERE, service: "https://api.example.com/x" },
    DEPLOYED,
    ["password"],
  ],
  [
    "stored, no address",
    kept,
    BASIC,
    { ...HERE, service: null },
    { ...DEPLOYED, way: { ...HERE, service: null } },
    ["password"],
  ],
  ["stored, never deployed", kept, BASIC, HERE, null, ["password"]],
  ["stored, other TLS", kept, BASIC, { ...HERE, tls: "lax" }, DEPLOYED, ["password"]],
  ["stored, other proxy", kept, BASIC, { ...HERE, proxy: "mine" }, DEPLOYED, ["password"]],
  [
    "stored, other token address, which is not theirs",
    kept,
    BASIC,
    { ...HERE, token: "https://evil.example" },
    DEPLOYED,
    { username: "me", password: "stored-pw" },
  ],
  [
    "stored token, other address",
    { accessToken: STAND_IN },
    ["accessToken"],
    { ...HERE, service: "https://evil.example" },
    DEPLOYED,
    ["accessToken"],
  ],
  ["client, deployed way", client, CLIENT, HERE, DEPLOYED, { clientId: "c", clientSecret: "stored-cs" }],
  [
    "client, other token address",
    client,
    CLIENT,
    { ...HERE, token: "https://evil.example" },
    DEPLOYED,
    ["clientSecret"],
  ],
  [
    "client, other service address, which is not theirs",
    client,
    CLIENT,
    { ...HERE, service: "https://evil.example" },
    DEPLOYED,
    { clientId: "c", clientSecret: "stored-cs" },
  ],
  [
    "both, both addresses changed",
    { ...kept, ...client },
    [...BASIC, ...CLIENT],
    { ...HERE, service: "https://e", token: "https://e" },
    DEPLOYED,
    ["password", "clientSecret"],
  ],
  [
    "a variable, deployed way",
    { username: "me", password: "${PW}" },
    BASIC,
    HERE,
    DEPLOYED,
    { username: "me", password: "${PW}" },
  ],
  [
    "a variable, other address",
    { username: "me", password: "${PW}" },
    BASIC,
    { ...HERE, service: "https://e" },
    DEPLOYED,
    ["password"],
  ],
  [
    "a variable in the old spelling, other address",
    { username: "me", password: "$(PW)" },
    BASIC,
    { ...HERE, service: "https://e" },
    DEPLOYED,
    ["password"],
  ],
  [
    "a variable as name, other address",
    { username: "${PW}", password: "typed" },
    BASIC,
    { ...HERE, service: "https://e" },
    DEPLOYED,
    ["username"],
  ],
  ["a variable, never deployed", { username: "me", password: "${PW}" }, BASIC, HERE, null, ["password"]],
  ["nothing there", {}, BASIC, { ...HERE, service: "https://e" }, DEPLOYED, { username: "", password: "" }],
  [
    "stored where nothing is stored",
    kept,
    BASIC,
    HERE,
    { ...DEPLOYED, secrets: {} },
    { username: "me", password: "" },
  ],
  ["not needed", { ...kept, ...client }, [], { ...HERE, service: "https://e" }, DEPLOYED, {}],
];

describe("secrets that a connection test may use", () => {
  for (const [title, typed, needed, way, deployed, expected] of ROWS) {
    it(title, () => {
      const chosen = chooseSecrets(typed, needed, way, deployed);
      assert.deepEqual(chosen, Array.isArray(expected) ? { retype: expected } : { secrets: expected });
    });
  }
});

describe("an account as it is typed", () => {
  const account = (config: object, credentials: object = {}) =>
    draftAccount.parse({ config: { service: "service", legacyAuth: "basic", ...config }, credentials });

  it("goes the same way however an address is spelled", () => {
    const plain = secretDestinationOf({ serviceAddress: "https://api.example.com" });
    assert.deepEqual(secretDestinationOf({ serviceAddress: " HTTPS://API.example.com:443/ " }), plain);
    assert.equal(plain.token, plain.service);
    assert.notDeepEqual(
      secretDestinationOf({ serviceAddress: "https://api.example.com.evil.example" }),
      plain,
    );
    assert.equal(secretDestinationOf({ serviceAddress: "https://me@api.example.com" }).service, null);
  });

  it("needs only the secrets of what is chosen", () => {
    const all = { username: "a", password: "b", accessToken: "c", clientId: "d", clientSecret: "e" };
    assert.deepEqual(neededSecrets(account({}, { username: "a" })), ["username", "password"]);
    assert.deepEqual(neededSecrets(account({ legacyAuth: "token-query" }, all)), [
      "accessToken",
      "clientId",
      "clientSecret",
    ]);
    assert.deepEqual(neededSecrets(account({ legacyAuth: "none" })), []);
    assert.deepEqual(neededSecrets(account({ service: "simulator" }, all)), []);
  });

  it("has variables replaced in its settings, never in its credentials", () => {
    const typed = account({ serviceAddress: "${A}" }, { username: "${B}" });
    const { config, credentials } = replaceVariables(typed, (text) => (text.startsWith("$") ? "seen" : text));
    assert.equal(config.serviceAddress, "seen");
    assert.equal(credentials.username, "${B}");
  });
});
