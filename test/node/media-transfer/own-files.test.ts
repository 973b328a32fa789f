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
import { join } from "node:path";
import helper from "node-red-node-test-helper";
import type { NodeMessage } from "node-red";
import type { SendResult } from "../../../lib/runtime/channels/send-result";
import { type Config, resultOf, stopFlow, type TestFlow } from "../flow";
import { useSimulator } from "../use-simulator";
import { bytes, newFolder, startMedia } from "./media-flow";

/** What Node-RED has in its user directory, and may have elsewhere. */
const OWN_FILES = [
  "settings.js",
  "Settings.JS",
  "\u017fettings.js",
  "SETTIN~1.JS",
  "flows.json",
  "flows_raspberrypi.json",
  "flows_raspberrypi_cred.json",
  "package.json",
  "package-lock.json",
  "environment",
];
const OWN_FOLDERS = ["node_modules/x", "lib", "nodes", "context/global", "projects/p", ".config", "LIB"];

describe("media-transfer: Node-RED's own files", () => {
  const simulator = useSimulator();
  let folder = newFolder();
  const inside = (...parts: string[]): string => join(folder.path, "red", ...parts);
  beforeEach(() => {
    folder = newFolder();
    mkdirSync(inside());
    writeFileSync(inside("settings.js"), "old");
    helper.settings({
      userDir: inside(),
      flowFile: "house.json",
      settingsFile: join(folder.path, "etc", "red.js"),
    } as never);
  });
  afterEach(() => {
    helper.settings({ userDir: undefined, flowFile: undefined, settingsFile: undefined } as never);
    folder.remove();
  });

  const start = async (sender: Config): Promise<TestFlow> => {
    await stopFlow();
    return startMedia(simulator, sender);
  };
  const one = async ({ send, all }: TestFlow, msg: Record<string, unknown>): Promise<NodeMessage> => {
    const before = all.messages.length;
    send(msg);
    return (await all.until(before + 1)).at(-1) as NodeMessage;
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
    for (const existing of ["number", "overwrite", "refuse"]) {
      it(`never get the name of one, whether node, message or service chooses it: ${existing}`, async () => {
        mkdirSync(join(folder.path, "etc"));
        for (const [name, where] of [
          ...OWN_FILES.map((file) => [file, "."] as const),
          ["house.json", "."],
          ["house_cred.json", "."],
          ["red.js", join(folder.path, "etc")],
        ] as const) {
          const chosen = { saveAs: "name", saveAsSource: "msg", folder: where, existing };
          const refused = await download(chosen, name);
          assert.deepEqual([refused.outcome, refused.parameter], ["rejected", "saveAs"], name);
          assert.match(
            refused.statusMessage,
            /one of Node-RED's own files.*Set another name under “Save as”/,
          );
          if (existing !== "overwrite" || where !== ".") {
            const given = await download({ existing, folder: where }, name);
            assert.deepEqual([given.outcome, given.statusName], ["denied", "FILE_UNWRITABLE"], name);
            assert.match(
              given.statusMessage,
              /one of Node-RED's own files.*Set another name under “Save as”/,
            );
          }
        }
        assert.deepEqual(readdirSync(inside()), ["settings.js"]);
        assert.equal(readFileSync(inside("settings.js"), "utf8"), "old");
      });
    }

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

    it("never go to one of its folders, not even through a link", async () => {
      mkdirSync(inside("node_modules"));
      symlinkSync(inside("node_modules"), join(folder.path, "modules"));
      for (const where of [
        ...OWN_FOLDERS,
        "media/../lib",
        join(folder.path, "modules"),
        join(folder.path, "modules", "x"),
        join(folder.path, "elsewhere", "node_modules"),
      ]) {
        const running = await start(toFile({ folder: where }));
        running.send({ payload: { mediaId: "123e4567-e89b-12d3-a456-426614174000" } });
        const [caught] = await running.caught.until(1);
        assert.match(
          String((caught as { error?: { message: string } }).error?.message),
          /Node-RED keeps its own files in.* choose another folder/,
          where,
        );
      }
      assert.equal(simulator.main.requestCount, 0);
      assert.deepEqual(readdirSync(inside("node_modules")), []);
    });

    it("are readable for the user of Node-RED only", async () => {
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
      mkdirSync(join(folder.path, "media-private"));
      writeFileSync(inside("media", "a.png"), bytes(10));
      writeFileSync(inside("b.png"), bytes(10));
      writeFileSync(join(folder.path, "secret.txt"), "secret");
      symlinkSync(join(folder.path, "secret.txt"), inside("media", "link.png"));
      symlinkSync(folder.path, inside("media", "up"));
      symlinkSync(inside("media"), join(folder.path, "short"));
      for (const base of ["media", inside("media"), join(folder.path, "short")]) {
        for (const path of ["a.png", inside("media", "a.png"), join(folder.path, "short", "a.png")]) {
          assert.equal((await upload({ baseFolder: base }, path)).outcome, "sent", `${path} in ${base}`);
        }
        for (const path of [
          "../b.png",
          inside("b.png"),
          "link.png",
          "up/secret.txt",
          join(folder.path, "media-private"),
          "/etc/hostname",
        ]) {
          assert.match(
            refusal(await upload({ baseFolder: base }, path)),
            /is outside the node's base folder '.*'.* Move the file there, or change the base folder/,
            `${path} in ${base}`,
          );
        }
      }
      assert.equal(requests("media-upload"), 9);
    });

    it("of a flow saved before there was a base folder take any file but Node-RED's own", async () => {
      writeFileSync(join(folder.path, "a.png"), bytes(10));
      writeFileSync(inside("b.png"), bytes(10));
      for (const path of [join(folder.path, "a.png"), inside("b.png"), "b.png"]) {
        assert.equal((await upload({}, path)).outcome, "sent", path);
      }
    });

    it("by the path of a message never read one", async () => {
      mkdirSync(join(folder.path, "etc"));
      mkdirSync(inside("projects", "p", ".git"), { recursive: true });
      mkdirSync(inside("context", "global"), { recursive: true });
      const own = [
        ...["settings.js", "house.json", "house_cred.json", "flows_x_cred.json", ".config.runtime.json"],
        ...[
          "context/global/global.json",
          "projects/p/flow_cred.json",
          "projects/p/.git/config",
          "environment",
        ],
      ];
      for (const name of own) {
        writeFileSync(inside(name), "secret");
      }
      writeFileSync(join(folder.path, "etc", "red.js"), "secret");
      symlinkSync(inside("settings.js"), inside("picture.png"));
      for (const baseFolder of [undefined, "", "."]) {
        const paths = [
          ...own,
          "picture.png",
          ...(baseFolder === "." ? [] : [join(folder.path, "etc", "red.js")]),
        ];
        for (const path of paths) {
          assert.match(
            refusal(await upload({ baseFolder }, path)),
            /is one of Node-RED's own files .* Enter the path in the node if you want to upload this file/,
            path,
          );
        }
      }
      assert.equal(requests("media-upload"), 0);
    });

    it("read the file that the node itself names", async () => {
      const typed = { path: "settings.js", pathSource: "str", baseFolder: "media" };
      assert.equal((await upload(typed, "")).outcome, "sent");
    });
  });
});
