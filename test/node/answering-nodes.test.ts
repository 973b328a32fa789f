import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import registerLog from "../../nodes/message-log/message-log";
import registerOptOut from "../../nodes/opt-out/opt-out";
import registerVerifyCode from "../../nodes/verify-code/verify-code";
import { useFolder } from "../unit/store/use-folder";
import { badgeOf, errorOf } from "./answering-node";
import { type Config, startFlow, stopFlow, stopServer, type TestFlow } from "./flow";

const TO = "+41790000001";

interface Row {
  readonly type: string;
  readonly register: typeof registerLog;
  readonly config: Config;
  /** A message that the node answers, and by which output. */
  readonly msg: Config;
  readonly port: number;
  /** Names of what the node can do. */
  readonly kinds: RegExp;
  /** Badge where its store cannot be used. */
  readonly badge: string;
}

const ROWS: readonly Row[] = [
  {
    type: "messaging-message-log",
    register: registerLog,
    config: { kind: "id", messageId: "id", messageIdSource: "msg" },
    msg: { id: "nobody", payload: "Hello" },
    port: 1,
    kinds: /id, number, search, report, conversation, state/,
    badge: "red: message store fails",
  },
  {
    type: "messaging-opt-out",
    register: registerOptOut,
    config: { kind: "add" },
    msg: { to: TO, payload: "Hello" },
    port: 0,
    kinds: /add, remove, check, list, import/,
    badge: "red: store folder is wrong",
  },
  {
    type: "messaging-verify-code",
    register: registerVerifyCode,
    config: { kind: "check" },
    msg: { to: TO, payload: "123456" },
    port: 2,
    kinds: /make, check/,
    badge: "red: store folder is wrong",
  },
];

for (const { type, register, config, msg, port, kinds, badge } of ROWS) {
  describe(`${type}, as every node that answers messages`, () => {
    const folder = useFolder();
    afterEach(stopFlow);
    after(stopServer);
    const start = (more: Config = {}, storeFolder = folder()): Promise<TestFlow> =>
      startFlow({
        account: { keepMessages: "computer", storeFolder },
        sender: { type, ...config, ...more },
        register: [register],
      });

    it("refuses an unknown action, and names the known ones", async () => {
      const [code, text] = await errorOf(await start({ kind: "delete" }), { ...msg });
      assert.equal(code, "BAD_SETTING");
      assert.match(text, kinds);
    });

    it("refuses each message without an account", async () => {
      const flow = await start({ account: "gone" });
      assert.equal((await errorOf(flow, { ...msg }))[0], "NO_ACCOUNT");
      flow.send({ ...msg });
      await flow.caught.until(2);
    });

    it("reports an unusable store, and retries it at the next message", async () => {
      const file = join(folder(), "file");
      writeFileSync(file, "");
      const flow = await start({}, join(file, "store"));
      const [code, text] = await errorOf(flow, { ...msg });
      assert.equal(code, "STORE_NO_FOLDER");
      assert.match(text, /folder/);
      assert.equal(await badgeOf(flow, 1), badge);
      rmSync(file);
      flow.send({ ...msg });
      await flow.ports[port]!.until(1);
    });
  });
}
