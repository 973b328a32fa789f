import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import helper from "node-red-node-test-helper";
import type { SendResult } from "../../../../lib/runtime/channels/send-result";
import { type Config, resultOf, stopFlow, type TestFlow } from "../../../node/flow";
import { useSimulator } from "../../../node/use-simulator";
import { NEW_BASE_FOLDER } from "../../../../nodes/media-transfer/shared/media-fields";
import { bytes, errorText, newFolder, one, startMedia } from "./media-flow";

/** Names of files that no message may write; the rule of names has a test of its own. */
const OWN_NAMES = ["settings.js", "SETTIN~1.JS", "house_cred.json", "messages.db"];

describe("media-transfer: Node-RED's own files", () => {
  const simulator = useSimulator();
  let folder = newFolder();
  let more: Config[] = [];
  const inside = (...parts: string[]): string => join(folder.path, "red", ...parts);
  beforeEach(() => {
    folder = newFolder();
    mkdirSync(inside());
    writeFileSync(inside("settings.js"), "old");
    helper.settings({
      userDir: inside(),
      flowFile: "house.json",
      settingsFile: join(folder.path, "etc", "red.js"),
      contextStorage: {
        default: { module: "memory" },
        far: { module: "localfilesystem", config: { dir: join(folder.path, "contexts"), base: "c" } },
        near: { module: "localfilesystem", config: { base: "values" } },
      },
      editorTheme: { library: { sources: [{ id: "team", path: join(folder.path, "team") }] } },
    } as never);
    process.env.MEDIA_TEST_STORE = join(folder.path, "varied");
    more = accounts();
  });
  afterEach(() => {
    helper.settings({
      userDir: undefined,
      flowFile: undefined,
      settingsFile: undefined,
      contextStorage: undefined,
      editorTheme: undefined,
    } as never);
    delete process.env.MEDIA_TEST_STORE;
    folder.remove();
  });

  /** Accounts that run, or are switched off, keep messages elsewhere, or have kept them in a folder. */
  const accounts = (): Config[] => [
    {
      id: "a1",
      type: "messaging-account",
      service: "simulator",
      keepMessages: "memory",
      storeFolder: "kept/here",
    },
    { id: "a2", type: "messaging-account", d: true, storeFolder: ` ${join(folder.path, "Away")} ` },
    { id: "a3", type: "messaging-account", keepMessages: "memory", storeFolder: "${MEDIA_TEST_STORE}" },
  ];
  /** One that keeps messages in a folder which has the user directory in it. */
  const above = (): Config => ({ id: "a4", type: "messaging-account", d: true, storeFolder: folder.path });
  /** Folders of messages, contexts and libraries that only flows and settings name. */
  const named = (): string[] => [
    ...[inside("kept", "here"), inside("values"), join(folder.path, "Away"), join(folder.path, "varied")],
    ...[join(folder.path, "contexts", "c"), join(folder.path, "team")],
  ];
  const start = async (sender: Config): Promise<TestFlow> => {
    await stopFlow();
    return startMedia(simulator, sender, {}, more);
  };
  const toFile = (more: Config): Config => ({ kind: "download", to: "file", folder: ".", ...more });
  /** A download of a file that the service calls so. */
  const download = async (sender: Config, fileName = "a.png"): Promise<SendResult> => {
    const mediaId = simulator.main.addMedia({ content: bytes(10), fileName, contentType: "image/png" });
    return resultOf(await one(await start(toFile(sender)), { payload: { mediaId }, name: fileName }));
  };
  const requests = (operation: string): number =>
    simulator.main.requests.filter((request) => request.operation === operation).length;

  describe("downloads", () => {
    it("never get the name of one, whether message or service chooses it", async () => {
      for (const name of OWN_NAMES) {
        const chosen = await download({ saveAs: "name", saveAsSource: "msg" }, name);
        assert.deepEqual([chosen.outcome, chosen.parameter], ["rejected", "saveAs"], name);
        const given = await download({}, name);
        assert.deepEqual([given.outcome, given.statusName], ["denied", "FILE_UNWRITABLE"], name);
        assert.match(given.statusMessage, /Set another name under “Save as”/);
      }
      assert.deepEqual(readdirSync(inside()), ["settings.js"]);
      assert.equal(readFileSync(inside("settings.js"), "utf8"), "old");
    });

    it("overwrite in the user directory only under a name of the node's", async () => {
      symlinkSync(inside(), join(folder.path, "link"));
      for (const where of [".", "x/..", inside(), join(folder.path, "link")]) {
        const refused = await download({ existing: "overwrite", folder: where });
        assert.deepEqual([refused.outcome, refused.parameter], ["rejected", "saveAs"], where);
        assert.match(refused.statusMessage, /“Save as” must be set .* choose a folder inside it/);
      }
      assert.equal(requests("media-download"), 0);
      writeFileSync(inside("last.png"), "old");
      const named = await download({ existing: "overwrite", saveAs: "last.png", saveAsSource: "str" });
      assert.equal(named.outcome, "sent");
      assert.equal(statSync(inside("last.png")).size, 10);
      // Elsewhere the sender's name is taken.
      assert.equal(
        (await download({ existing: "overwrite", folder: "media" }, "settings.js")).outcome,
        "sent",
      );
      assert.deepEqual(readdirSync(inside("media")), ["settings.js"]);
      assert.equal((await download({ existing: "number" })).outcome, "sent");
      assert.ok(existsSync(inside("a.png")));
    });

    it("never go to folders of Node-RED, of messages, contexts or libraries, by any name or link", async () => {
      mkdirSync(inside("node_modules"));
      mkdirSync(inside("kept", "here"), { recursive: true });
      symlinkSync(inside("node_modules"), join(folder.path, "modules"));
      symlinkSync(folder.path, join(folder.path, "round"));
      symlinkSync(inside("kept"), inside("link"));
      more = [...accounts(), above()];
      for (const where of [
        ...["node_modules/x", "lib", ".config", "LIB", "messaging", "Messaging", "media/../messaging"],
        ...[join(folder.path, "modules", "x"), join(folder.path, "elsewhere", "node_modules")],
        ...named(),
        ...[join(folder.path, "away"), "KEPT/Here", "media/../kept/here", "link/here", "../varied"],
        ...[join(folder.path, "Away", "deeper"), join(folder.path, "round", "Away"), folder.path],
      ]) {
        const running = await start(toFile({ folder: where }));
        running.send({ payload: { mediaId: "123e4567-e89b-12d3-a456-426614174000" } });
        assert.match(await errorText(running), /choose another folder/, where);
      }
      assert.equal(simulator.main.requestCount, 0);
      assert.deepEqual(readdirSync(inside("node_modules")), []);
      assert.deepEqual(readdirSync(inside("kept", "here")), []);
    });

    it("makes files readable for the user of Node-RED only", async () => {
      const before = process.umask(0);
      try {
        await download({ folder: "media" });
      } finally {
        process.umask(before);
      }
      assert.equal(statSync(inside("media", "a.png")).mode & 0o777, 0o600);
    });
  });

  describe("uploads", () => {
    const upload = async (sender: Config, filename: string): Promise<SendResult> =>
      resultOf(await one(await start({ kind: "upload", from: "file", ...sender }), { filename }));
    const refusal = ({ outcome, statusName, parameter, statusMessage }: SendResult): string => {
      assert.deepEqual([outcome, statusName, parameter], ["rejected", "FILE_UNREADABLE", "file"]);
      return statusMessage;
    };

    it("by the path of a message stay in the base folder, links followed", async () => {
      mkdirSync(inside("media"));
      writeFileSync(inside("media", "a.png"), bytes(10));
      writeFileSync(inside("b.png"), bytes(10));
      writeFileSync(join(folder.path, "secret.txt"), "secret");
      symlinkSync(join(folder.path, "secret.txt"), inside("media", "link.png"));
      symlinkSync(folder.path, inside("media", "up"));
      symlinkSync(inside("media"), join(folder.path, "short"));
      for (const base of ["media", join(folder.path, "short")]) {
        for (const path of ["a.png", inside("media", "a.png"), join(folder.path, "short", "a.png")]) {
          assert.equal((await upload({ baseFolder: base }, path)).outcome, "sent", `${path} in ${base}`);
        }
        for (const path of ["../b.png", inside("b.png"), "link.png", "up/secret.txt", "/etc/hostname"]) {
          assert.match(
            refusal(await upload({ baseFolder: base }, path)),
            /is outside the node's base folder '.*'.* Move the file there, or change the base folder/,
            `${path} in ${base}`,
          );
        }
      }
      assert.equal(requests("media-upload"), 6);
    });

    it("by the path of a message never read files of Node-RED, messages, contexts or libraries", async () => {
      const files = [
        ...["settings.js", "house_cred.json", "projects/p/.git/config", "context/global/global.json"],
        ...["messaging/messages.db", "MESSAGING/key", "LIB/flows/a.json", "old/messages.db"],
        ...named().map((each) => join(each, "deeper", "a.png")),
        ...[join(folder.path, "etc", "red.js"), join(folder.path, "AWAY", "a.png")],
      ].map((path) => resolve(inside(), path));
      for (const path of files) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, "secret");
      }
      mkdirSync(inside("media"));
      symlinkSync(inside("settings.js"), inside("media", "picture.png"));
      symlinkSync(inside("messaging"), inside("media", "pictures"));
      symlinkSync(folder.path, inside("media", "round"));
      more = [...accounts(), above()];
      const roundabout = ["media/picture.png", "media/pictures/messages.db", "media/round/AWAY/a.png"];
      for (const path of [...files, ...roundabout]) {
        assert.match(
          refusal(await upload({}, path)),
          /is one of Node-RED's own files|belongs to stored messages, and no message may upload it/,
          path,
        );
      }
      assert.equal(requests("media-upload"), 0);
    });

    it("of a new node take files of a folder of its own, which is made when a message names the first one", async () => {
      const sender = { baseFolder: NEW_BASE_FOLDER };
      refusal(await upload(sender, "a.png"));
      assert.ok(statSync(inside("messaging-files")).isDirectory());
      writeFileSync(inside("messaging-files", "a.png"), bytes(10));
      writeFileSync(inside("b.png"), bytes(10));
      assert.equal((await upload(sender, "a.png")).outcome, "sent");
      assert.match(refusal(await upload(sender, "../b.png")), /outside the node's base folder/);
    });
  });
});
