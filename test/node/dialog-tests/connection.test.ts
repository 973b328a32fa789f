import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { STAND_IN } from "../../../lib/shared/stand-in";
import { useFolder } from "../../unit/store/use-folder";
import { makeCertificates } from "../../support/http/certificates";
import { FaultServer } from "../../support/http/fault-server";
import { accountAt, type Config, type FlowOptions, ownAuthority, setEnv, startFlow } from "../flow";
import { useSimulator } from "../use-simulator";
import { type Answered, ask } from "./ask";

describe("connection test of an account", () => {
  let other: FaultServer;
  before(async () => {
    other = await FaultServer.start();
  });
  after(() => other.close());
  const simulator = useSimulator();
  const folder = useFolder();

  const start = (options: FlowOptions = accountAt(simulator)) => startFlow(options);
  /** The dialog of the deployed account, nothing touched unless given. */
  const dialog = (config: Config = {}, credentials: Config = {}): { config: Config; credentials: Config } => {
    const { username, clientId } = simulator.credentials;
    return {
      config: {
        service: "service",
        serviceAddress: simulator.url,
        tokenAddress: "",
        legacyAuth: "basic",
        applicationId: simulator.credentials.applicationId,
        keepMessages: "memory",
        ...config,
      },
      credentials: { username, password: STAND_IN, clientId, clientSecret: STAND_IN, ...credentials },
    };
  };
  const codes = ({ body }: Answered): string[] =>
    (body.lines as { check: string; state: string; code: string }[]).map(
      ({ check, state, code }) => `${check} ${state} ${code}`,
    );
  const noSecret = ({ text }: Answered): void => {
    for (const secret of [simulator.credentials.password, simulator.credentials.clientSecret]) {
      assert.equal(text.includes(secret), false);
    }
  };

  const ALL_FINE = [
    "connect ok OK",
    "tls skipped PLAIN",
    "sign-in ok OK",
    "token ok OK",
    ...Array(4).fill("scope ok OK"),
    "storage skipped MEMORY",
  ];

  it("uses stored secrets at the stored address, reveals none of them, and sends nothing", async () => {
    await start();
    const answered = await ask("test", dialog());
    assert.equal(answered.status, 200, answered.text);
    assert.equal(answered.body.simulated, false);
    assert.deepEqual(codes(answered), ALL_FINE);
    noSecret(answered);
    assert.deepEqual(simulator.main.messages, []);
    assert.equal(simulator.main.requests.filter(({ path }) => path !== "/oauth/token").length, 1);
  });

  for (const [title, changed, fields] of [
    [
      "service address",
      () => ({ serviceAddress: other.url, tokenAddress: "" }),
      ["password", "clientSecret"],
    ],
    ["token address", () => ({ tokenAddress: other.url }), ["clientSecret"]],
    ["path", () => ({ serviceAddress: `${simulator.url}/elsewhere` }), ["password", "clientSecret"]],
    ["TLS configuration", () => ({ tls: "lax" }), ["password", "clientSecret"]],
    ["proxy", () => ({ proxy: "mine" }), ["password", "clientSecret"]],
  ] as const) {
    it(`refuses stored secrets after a change of the ${title}, and connects to no address`, async () => {
      await start();
      const before = other.connections;
      const answered = await ask("test", dialog(changed()));
      assert.equal(answered.status, 200);
      assert.deepEqual(answered.body, { error: "retype", fields });
      assert.equal(other.connections, before);
      assert.equal(simulator.main.requestCount, 0);
    });
  }

  it("refuses variables for another address", async () => {
    await start();
    setEnv({ TEST_DIALOG_SECRET: "from-the-environment" });
    const draft = dialog(
      { serviceAddress: other.url },
      { password: "${TEST_DIALOG_SECRET}", clientId: "", clientSecret: "" },
    );
    assert.deepEqual((await ask("test", draft)).body, { error: "retype", fields: ["password"] });
    assert.equal(
      other.heads.some(({ head }) => head.includes("authorization")),
      false,
    );
  });

  it("uses entered secrets at any address, without saving them", async () => {
    await start({ account: { service: "service", serviceAddress: other.url }, credentials: {} });
    const { password, clientSecret } = simulator.credentials;
    const answered = await ask("test", dialog({}, { password, clientSecret }));
    assert.deepEqual(codes(answered), ALL_FINE);
    noSecret(answered);
    const wrong = await ask("test", dialog({}, { password: "wrong-password", clientSecret: "wrong-secret" }));
    assert.deepEqual(codes(wrong).slice(2), [
      "sign-in failed INVALID_CREDENTIALS",
      "token failed CLIENT_REFUSED",
      "storage skipped MEMORY",
    ]);
    assert.equal(wrong.text.includes("wrong-"), false);
  });

  it("names each half of credentials that is missing, and an application id", async () => {
    await start();
    for (const [config, credentials, line] of [
      [{}, { clientSecret: "" }, "token failed NO_SECRET"],
      [{}, { clientId: "" }, "token failed NO_ID"],
      [{}, { password: "" }, "sign-in failed NO_PASSWORD"],
      [{}, { username: "" }, "sign-in failed NO_USERNAME"],
      [{ legacyAuth: "token-header" }, {}, "sign-in failed NO_TOKEN"],
      [{ applicationId: " " }, {}, "application skipped NONE"],
    ] as const) {
      const answered = await ask("test", dialog(config, credentials));
      assert.ok(codes(answered).includes(line), String(codes(answered)));
      noSecret(answered);
    }
  });

  it("tests an account that was never deployed", async () => {
    await start();
    const { password, clientSecret } = simulator.credentials;
    const typed = await ask("test", dialog({}, { password, clientSecret }), "new-account");
    assert.deepEqual(codes(typed), ALL_FINE);
    const stored = await ask("test", dialog(), "new-account");
    assert.deepEqual(stored.body, { error: "retype", fields: ["password", "clientSecret"] });
  });

  it("reads variables of a deployed account", async () => {
    setEnv({ TEST_DIALOG_ADDRESS: simulator.url, TEST_DIALOG_PASSWORD: simulator.credentials.password });
    await start();
    const config = { serviceAddress: "${TEST_DIALOG_ADDRESS}" };
    const answered = await ask("test", dialog(config, { password: "${TEST_DIALOG_PASSWORD}" }));
    assert.deepEqual(codes(answered), ALL_FINE);
    const missing = await ask("test", dialog(config, { password: "${NO_SUCH_VARIABLE}" }));
    assert.deepEqual(codes(missing), ["settings failed UNRESOLVED_VARIABLE", "storage skipped MEMORY"]);
    assert.match(missing.body.lines[0].detail, /NO_SUCH_VARIABLE/);
  });

  it("uses a deployed TLS configuration, and reports one that is not deployed", async () => {
    const certificates = makeCertificates();
    const secure = await FaultServer.start({ tls: certificates.good });
    try {
      await start(ownAuthority(certificates.authority.cert));
      const typed = (tls: string) =>
        dialog({ serviceAddress: secure.url, tls, legacyAuth: "none" }, { clientId: "", clientSecret: "" });
      assert.equal(codes(await ask("test", typed("own-ca")))[1], "tls ok OK");
      assert.equal(codes(await ask("test", typed("")))[1], "tls failed CERT_UNKNOWN_AUTHORITY");
      assert.deepEqual(codes(await ask("test", typed("not-there"))), [
        "settings failed BAD_TLS",
        "storage skipped MEMORY",
      ]);
    } finally {
      await secure.close();
    }
  });

  it("tests the built-in simulator, and reports that it is the simulator", async () => {
    await start({});
    for (const id of ["n-account", "new-account"]) {
      const answered = await ask(
        "test",
        { config: { service: "simulator", legacyAuth: "basic", keepMessages: "memory" }, credentials: {} },
        id,
      );
      assert.equal(answered.body.simulated, true);
      assert.deepEqual(codes(answered), ALL_FINE);
    }
  });

  it("tests the store as it is entered, for the simulator too, and makes none", async () => {
    await start({});
    setEnv({ TEST_STORE_FOLDER: join(folder(), "new") });
    const storage = async (config: Config): Promise<{ state: string; code: string; about: string }> => {
      const entered = { service: "simulator", legacyAuth: "basic", keepMessages: "computer", ...config };
      const answered = await ask("test", { config: entered, credentials: {} });
      assert.equal(answered.status, 200, answered.text);
      return answered.body.lines.at(-1);
    };
    const place = join(folder(), "new", "messages.db");
    for (const storeFolder of ["${TEST_STORE_FOLDER}", join(folder(), "new")]) {
      const { state, code, about } = await storage({ storeFolder });
      assert.deepEqual([state, code, about], ["ok", "NEW", place]);
    }
    assert.deepEqual(readdirSync(folder()), []);
    assert.equal((await storage({ storeFolder: folder(), keepDays: "0" })).code, "BAD_SETTING");
    assert.equal((await storage({ storeFolder: "${NO_SUCH_VARIABLE}" })).code, "UNRESOLVED_VARIABLE");
    assert.equal((await storage({ keepMessages: "elsewhere" })).code, "BAD_SETTING");
  });

  it("accepts only the dialog's request, as JSON", async () => {
    await start();
    assert.equal((await ask("test", {})).status, 400);
    assert.equal((await ask("test", { config: { service: "elsewhere" }, credentials: {} })).status, 400);
    const form = await ask("test", {}, "n-account", "application/x-www-form-urlencoded");
    assert.deepEqual([form.status, form.body], [400, { error: "bad-request" }]);
    assert.equal(simulator.main.requestCount, 0);
  });
});
