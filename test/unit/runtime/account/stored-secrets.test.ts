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
const DEPLOYED = { destination: HERE, secrets: STORED };
const BASIC: readonly Secret[] = ["username", "password"];
const CLIENT: readonly Secret[] = ["clientId", "clientSecret"];

type Row = readonly [
  title: string,
  draft: SecretTexts,
  needed: readonly Secret[],
  destination: SecretDestination,
  deployed: typeof DEPLOYED | null,
  expected: SecretTexts | readonly Secret[],
];

const stored = { username: "me", password: STAND_IN };
const client = { clientId: "c", clientSecret: STAND_IN };

const ROWS: readonly Row[] = [
  ["stored, deployed destination", stored, BASIC, HERE, DEPLOYED, { username: "me", password: "stored-pw" }],
  [
    "entered, deployed destination",
    { username: "me", password: "typed" },
    BASIC,
    HERE,
    DEPLOYED,
    { username: "me", password: "typed" },
  ],
  [
    "entered, other address",
    { username: "me", password: "typed" },
    BASIC,
    { ...HERE, service: "https://evil.example" },
    DEPLOYED,
    { username: "me", password: "typed" },
  ],
  [
    "entered, never deployed",
    { username: "me", password: "typed" },
    BASIC,
    HERE,
    null,
    { username: "me", password: "typed" },
  ],
  [
    "stored, other service address",
    stored,
    BASIC,
    { ...HERE, service: "https://evil.example" },
    DEPLOYED,
    ["password"],
  ],
  [
    "stored, other path at the same host",
    stored,
    BASIC,
    { ...HERE, service: "https://api.example.com/x" },
    DEPLOYED,
    ["password"],
  ],
  [
    "stored, no address",
    stored,
    BASIC,
    { ...HERE, service: null },
    { ...DEPLOYED, destination: { ...HERE, service: null } },
    ["password"],
  ],
  ["stored, never deployed", stored, BASIC, HERE, null, ["password"]],
  ["stored, other TLS", stored, BASIC, { ...HERE, tls: "lax" }, DEPLOYED, ["password"]],
  ["stored, other proxy", stored, BASIC, { ...HERE, proxy: "mine" }, DEPLOYED, ["password"]],
  [
    "stored, other token address, which is not theirs",
    stored,
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
  [
    "client, deployed destination",
    client,
    CLIENT,
    HERE,
    DEPLOYED,
    { clientId: "c", clientSecret: "stored-cs" },
  ],
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
    { ...stored, ...client },
    [...BASIC, ...CLIENT],
    { ...HERE, service: "https://e", token: "https://e" },
    DEPLOYED,
    ["password", "clientSecret"],
  ],
  [
    "a variable, deployed destination",
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
  ["nothing entered", {}, BASIC, { ...HERE, service: "https://e" }, DEPLOYED, { username: "", password: "" }],
  [
    "a stored secret that does not exist",
    stored,
    BASIC,
    HERE,
    { ...DEPLOYED, secrets: {} },
    { username: "me", password: "" },
  ],
  ["not needed", { ...stored, ...client }, [], { ...HERE, service: "https://e" }, DEPLOYED, {}],
];

describe("secrets that a connection test may use", () => {
  for (const [title, draft, needed, destination, deployed, expected] of ROWS) {
    it(title, () => {
      const chosen = chooseSecrets(draft, needed, destination, deployed);
      assert.deepEqual(chosen, Array.isArray(expected) ? { retype: expected } : { secrets: expected });
    });
  }
});

describe("a draft account", () => {
  const account = (config: object, credentials: object = {}) =>
    draftAccount.parse({ config: { service: "service", legacyAuth: "basic", ...config }, credentials });

  it("has the same destination for every spelling of an address", () => {
    const plain = secretDestinationOf({ serviceAddress: "https://api.example.com" });
    assert.deepEqual(secretDestinationOf({ serviceAddress: " HTTPS://API.example.com:443/ " }), plain);
    assert.equal(plain.token, plain.service);
    assert.notDeepEqual(
      secretDestinationOf({ serviceAddress: "https://api.example.com.evil.example" }),
      plain,
    );
    assert.equal(secretDestinationOf({ serviceAddress: "https://me@api.example.com" }).service, null);
  });

  it("needs only the secrets of the chosen settings", () => {
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
    const draft = account({ serviceAddress: "${A}" }, { username: "${B}" });
    const { config, credentials } = replaceVariables(draft, (text) => (text.startsWith("$") ? "seen" : text));
    assert.equal(config.serviceAddress, "seen");
    assert.equal(credentials.username, "${B}");
  });
});
