import assert from "node:assert/strict";
import { ACCOUNT, badgeText, SENDER, setEnv } from "../flow";
import { SimulatedService } from "../simulated-service";
import { type Answered, ask } from "./ask";

const MESSAGE = { messageContent: "Hello", messageContentSource: "str" };
const TO = "+41791234567";

const sms = (config: object = {}, more: object = {}): object => ({
  type: "messaging-sms-send",
  node: SENDER,
  config: { ...MESSAGE, ...config },
  to: TO,
  ...more,
});
const whatsapp = (config: object, more: object = {}): object => ({
  type: "messaging-whatsapp-send",
  node: "new-node",
  config: { contentSource: "str", content: "Hi", ...config },
  to: TO,
  ...more,
});

const TEMPLATE = whatsapp({
  kind: "template",
  templateName: "welcome",
  templateNameSource: "str",
  templateLocale: "de",
  templateLocaleSource: "str",
});

describe("sending a test from a dialog", () => {
  const service = new SimulatedService({});
  const outcome = ({ body }: Answered): string => `${body.result?.outcome} ${body.result?.statusName}`;

  it("sends an SMS in test mode, whatever the dialog's test field is", async () => {
    const flow = await service.start();
    for (const config of [{}, { test: "false", testSource: "bool" }, { test: "x", testSource: "msg" }]) {
      const answered = await ask("send-test", sms(config));
      assert.equal(answered.status, 200, answered.text);
      assert.deepEqual([answered.body.test, outcome(answered)], [true, "sent OK"]);
      const form = new URLSearchParams(service.requests.at(-1)?.rawBody);
      assert.equal(form.get("test"), "true");
      assert.equal(form.get("recipientAddressList"), "41791234567");
      assert.equal(form.get("messageContent"), "Hello");
    }
    assert.equal(flow.all.messages.length, 0, "nothing may come out of the node of the flow");
    assert.equal(badgeText(flow), "");
  });

  it("sends messages without a test mode only after confirmation", async () => {
    await service.start();
    const rcs = {
      type: "messaging-rcs-send",
      node: "new-node",
      config: { kind: "text", textMessage: "Hi", textMessageSource: "str" },
      to: TO,
    };
    for (const message of [TEMPLATE, whatsapp({ kind: "text" }), whatsapp({ kind: null }), rcs]) {
      service.simulator.main.openSession(TO);
      const asked = await ask("send-test", message);
      assert.deepEqual([asked.status, asked.body], [200, { error: "confirm" }]);
      assert.equal(service.requests.length, 0);
      const answered = await ask("send-test", { ...message, confirmed: true });
      assert.deepEqual([answered.body.test, outcome(answered)], [false, "sent OK"]);
      service.simulator.main.reset();
    }
  });

  it("refuses several numbers, and a blank one", async () => {
    await service.start();
    const other = "+41791234568";
    const separators = [",", ";", "\n", "\r", "\r\n", "\u0085", "\u2028", "\u2029", ",,", " ; "];
    const several = separators.flatMap((separator) => [
      [TO, other, "+41791234569"].join(separator),
      [TO, "hello"].join(separator),
      ["hello", TO].join(separator),
      [TO, TO].join(separator),
      ["hello", "goodbye"].join(separator),
    ]);
    for (const to of ["", " ", "\u2028", ",", ...several]) {
      assert.deepEqual(
        (await ask("send-test", sms({}, { to }))).body,
        { error: "one-number" },
        JSON.stringify(to),
      );
    }
    const bad = await ask("send-test", sms({}, { to: "hello" }));
    assert.equal(outcome(bad), "rejected RECIPIENTS_INVALID");
    assert.equal(service.requests.length, 0);
  });

  it("checks the message by every rule of a flow", async () => {
    await service.start();
    const validity = await ask("send-test", sms({ validityPeriode: "5", validityPeriodeSource: "num" }));
    assert.equal(outcome(validity), "rejected FIELD_INVALID");
    assert.match(validity.body.result.statusMessage, /validityPeriode/);
    const unresolved = await ask(
      "send-test",
      sms({ messageContent: "payload", messageContentSource: "msg" }),
    );
    assert.equal(outcome(unresolved), "rejected FIELD_UNRESOLVED");
    assert.match(unresolved.body.result.statusMessage, /msg\.payload/);
    assert.equal(service.requests.length, 0);
  });

  it("names the fault of a wrong set-up", async () => {
    await service.start({}, { account: { applicationId: "" } });
    const answered = await ask("send-test", whatsapp({ kind: "text" }, { confirmed: true }));
    assert.equal(outcome(answered), "denied NO_APPLICATION");
    const kind = await ask("send-test", whatsapp({ kind: "pigeon" }, { confirmed: true }));
    assert.equal(kind.body.code, "BAD_SETTING");
  });

  it("evaluates variables and expressions where the node runs", async () => {
    setEnv({ TEST_DIALOG_TEXT: "from the environment" });
    const flow = await service.start();
    flow.sender.context().flow.set("greeting", "Good day");
    for (const [config, expected] of [
      [{ messageContent: "TEST_DIALOG_TEXT", messageContentSource: "env" }, "from the environment"],
      [{ messageContent: '"2 + 2 = " & (2 + 2)', messageContentSource: "jsonata" }, "2 + 2 = 4"],
      [{ messageContent: '$flowContext("greeting")', messageContentSource: "jsonata" }, "Good day"],
    ] as const) {
      assert.equal(outcome(await ask("send-test", sms(config))), "sent OK");
      const form = new URLSearchParams(service.requests.at(-1)?.rawBody);
      assert.equal(form.get("messageContent"), expected);
    }
  });

  it("accepts only deployed accounts and send nodes", async () => {
    await service.start();
    for (const id of ["new-account", SENDER]) {
      const answered = await ask("send-test", sms(), id);
      assert.deepEqual([answered.status, answered.body], [200, { error: "not-deployed" }]);
    }
    assert.equal((await ask("send-test", { ...sms(), type: "messaging-media-transfer" })).status, 400);
    const form = await ask("send-test", {}, ACCOUNT, "application/x-www-form-urlencoded");
    assert.equal(form.status, 400);
    assert.equal(service.requests.length, 0);
  });

  it("drops properties that are not fields, addresses above all", async () => {
    await service.start();
    const answered = await ask(
      "send-test",
      sms({ account: "elsewhere", recipientAddressList: "+41790000009", outputs: 6 }),
    );
    assert.equal(outcome(answered), "sent OK");
    assert.deepEqual(answered.body.result.recipients, ["41791234567"]);
  });
});
