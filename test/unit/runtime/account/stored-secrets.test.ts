import assert from "node:assert/strict";
import {
  chooseSecrets,
  type Secret,
  type SecretTexts,
  type SecretDestination,
} from "../../../../lib/runtime/account/stored-secrets";
import {
  neededSecrets,
  replaceVariables,
  draftAccount,
  getSecretDestination,
} from "../../../../lib/runtime/account/draft-account";
import { STAND_IN } from "../../../../lib/shared/stand-in";
import { accountConfig } from "../../../support/account-config";

const HERE: SecretDestination = {
  service: "https://api.example.com",
  token: "https://auth.example.com",
  tls: "",
  proxy: "",
  storeTls: "",
};
const STORED: SecretTexts = {
  username: "me",
  password: "stored-pw",
  accessToken: "stored-at",
  clientId: "c",
  clientSecret: "stored-cs",
  storeUrl: "postgresql://stored",
};
const DEPLOYED = { destination: HERE, secrets: STORED };
const BASIC: readonly Secret[] = ["username", "password"];
const CLIENT: readonly Secret[] = ["clientId", "clientSecret"];

const stored = { username: "me", password: STAND_IN };
const typed = { username: "me", password: "typed" };
const variable = { username: "me", password: "${PW}" };
const client = { clientId: "c", clientSecret: STAND_IN };
const found = { username: "me", password: "stored-pw" };
const foundClient = { clientId: "c", clientSecret: "stored-cs" };

const otherService = { ...HERE, service: "https://evil.example" };
const otherPath = { ...HERE, service: "https://api.example.com/x" };
const otherToken = { ...HERE, token: "https://evil.example" };
const nowhere = { ...HERE, service: null };

type Row = readonly [
  title: string,
  draft: SecretTexts,
  destination: SecretDestination,
  /** The secrets to use, or the names of those to enter again. */
  expected: SecretTexts | readonly Secret[],
  deployed?: typeof DEPLOYED | null,
];

const BASIC_ROWS: readonly Row[] = [
  ["stored, deployed destination", stored, HERE, found],
  ["entered, deployed destination", typed, HERE, typed],
  ["entered, other address", typed, otherService, typed],
  ["entered, never deployed", typed, HERE, typed, null],
  ["stored, other service address", stored, otherService, ["password"]],
  ["stored, other path at the same host", stored, otherPath, ["password"]],
  ["stored, no address", stored, nowhere, ["password"], { ...DEPLOYED, destination: nowhere }],
  ["stored, never deployed", stored, HERE, ["password"], null],
  ["stored, other TLS", stored, { ...HERE, tls: "lax" }, ["password"]],
  ["stored, other proxy", stored, { ...HERE, proxy: "mine" }, ["password"]],
  ["stored, other token address, which is not theirs", stored, otherToken, found],
  ["a variable, deployed destination", variable, HERE, variable],
  ["a variable, other address", variable, otherService, ["password"]],
  [
    "a variable in the old spelling, other address",
    { ...variable, password: "$(PW)" },
    otherService,
    ["password"],
  ],
  ["a variable as name, other address", { ...typed, username: "${PW}" }, otherService, ["username"]],
  ["a variable, never deployed", variable, HERE, ["password"], null],
  ["nothing entered", {}, otherService, { username: "", password: "" }],
  [
    "a stored secret that does not exist",
    stored,
    HERE,
    { ...stored, password: "" },
    { ...DEPLOYED, secrets: {} },
  ],
];

const CLIENT_ROWS: readonly Row[] = [
  ["client, deployed destination", client, HERE, foundClient],
  ["client, other token address", client, otherToken, ["clientSecret"]],
  ["client, other service address, which is not theirs", client, otherService, foundClient],
];

const url = { storeUrl: STAND_IN };
const foundUrl = { storeUrl: "postgresql://stored" };
const typedUrl = { storeUrl: "postgresql://typed" };
const otherStoreTls = { ...HERE, storeTls: "lax" };
const URL_ROWS: readonly Row[] = [
  ["URL, deployed TLS of the database", url, HERE, foundUrl],
  ["URL, other TLS of the database", url, otherStoreTls, ["storeUrl"]],
  [
    "URL, other service and TLS of the service, which are not its own",
    url,
    { ...otherService, tls: "lax" },
    foundUrl,
  ],
  ["URL in a variable, other TLS of the database", { storeUrl: "${URL}" }, otherStoreTls, ["storeUrl"]],
  ["URL, never deployed", url, HERE, ["storeUrl"], null],
  ["entered URL, other TLS of the database", typedUrl, otherStoreTls, typedUrl],
  ["entered URL, never deployed", typedUrl, HERE, typedUrl, null],
];

const both = { ...stored, ...client };
const bothOther = { ...otherService, token: "https://evil.example" };
const TABLES: readonly (readonly [needed: readonly Secret[], rows: readonly Row[]])[] = [
  [BASIC, BASIC_ROWS],
  [CLIENT, CLIENT_ROWS],
  [["storeUrl"], URL_ROWS],
  [
    ["accessToken"],
    [["stored token, other address", { accessToken: STAND_IN }, otherService, ["accessToken"]]],
  ],
  [[...BASIC, ...CLIENT], [["both, both addresses changed", both, bothOther, ["password", "clientSecret"]]]],
  [[], [["not needed", both, otherService, {}]]],
];

describe("secrets that a connection test may use", () => {
  it("uses stored secrets only towards the address that they are deployed for", () => {
    for (const [needed, rows] of TABLES) {
      for (const [title, draft, destination, expected, deployed = DEPLOYED] of rows) {
        const chosen = chooseSecrets(draft, needed, destination, deployed);
        const wanted = Array.isArray(expected) ? { retype: expected } : { secrets: expected };
        assert.deepEqual(chosen, wanted, title);
      }
    }
  });
});

describe("a draft account", () => {
  const account = (config: object, credentials: object = {}) =>
    draftAccount.parse({ config: { service: "service", legacyAuth: "basic", ...config }, credentials });

  it("has the same destination for every spelling of an address", () => {
    const at = (serviceAddress: string) => getSecretDestination(accountConfig({ serviceAddress }));
    const plain = at("https://api.example.com");
    assert.deepEqual(at(" HTTPS://API.example.com:443/ "), plain);
    assert.equal(plain.token, plain.service);
    assert.notDeepEqual(at("https://api.example.com.evil.example"), plain);
    assert.equal(at("https://me@api.example.com").service, null);
  });

  it("needs only the secrets of the chosen settings", () => {
    const all = { username: "a", password: "b", accessToken: "c", clientId: "d", clientSecret: "e" };
    const needed = (config: object, credentials?: object) => neededSecrets(account(config, credentials));
    assert.deepEqual(needed({}, { username: "a" }), BASIC);
    assert.deepEqual(needed({ legacyAuth: "token-query" }, all), ["accessToken", ...CLIENT]);
    assert.deepEqual(needed({ legacyAuth: "none" }), []);
    assert.deepEqual(needed({ service: "simulator" }, all), []);
    const storeUrl = { storeUrl: "f" };
    assert.deepEqual(needed({ service: "simulator", keepMessages: "computer" }, storeUrl), []);
    assert.deepEqual(needed({ service: "simulator", keepMessages: "postgresql" }, storeUrl), ["storeUrl"]);
    assert.deepEqual(needed({ legacyAuth: "none", keepMessages: "postgresql" }), ["storeUrl"]);
  });

  it("has variables replaced in its settings, never in its credentials", () => {
    const draft = account({ serviceAddress: "${A}" }, { username: "${B}" });
    const { config, credentials } = replaceVariables(draft, (text) => (text.startsWith("$") ? "seen" : text));
    assert.equal(config.serviceAddress, "seen");
    assert.equal(credentials.username, "${B}");
  });
});
