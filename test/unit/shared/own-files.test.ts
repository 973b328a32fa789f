import assert from "node:assert/strict";
import { foldersBelow, isOwnFileName, isOwnFolderName, isStoreFileName } from "../../../lib/shared/own-files";

describe("Node-RED's own files, by name", () => {
  it("include settings, flows, credentials, packages and hidden files", () => {
    const own = [
      ...["settings.js", "SETTINGS.JS", "settings.mjs", "\u017fettings.js", "flows.json", "flows_host.json"],
      ...["house_cred.json", "package.json", "package-lock.json", "environment", ".config.runtime.json"],
      "FLOWS~1.JSO",
    ];
    const others = [
      "a.png",
      "settings.png",
      "my settings.js.txt",
      "flows.png",
      "credentials.json",
      "a~b.png",
    ];
    assert.deepEqual([...own, ...others].filter(isOwnFileName), own);
  });

  it("exclude stored messages, which have other names", () => {
    const stored = ["messages.db", "Messages.DB-wal", "messages.db-shm"];
    const others = ["message.db", "my messages.db"];
    assert.deepEqual([...stored, ...others].filter(isStoreFileName), stored);
  });

  it("include Node-RED's own folders", () => {
    const own = ["node_modules", "Lib", "nodes", "context", "projects", ".git", "Messaging"];
    assert.deepEqual([...own, "media", "library", "messaging-files", "x"].filter(isOwnFolderName), own);
  });

  for (const [path, folders] of [
    [".", []],
    ["", []],
    [" ./ ", []],
    ["a/..", []],
    ["media/in", ["media", "in"]],
    ["media\\in\\", ["media", "in"]],
    ["./a//../lib", ["lib"]],
    ["..", null],
    ["a/../../b", null],
    ["/data", null],
    ["C:\\data", null],
    ["\\\\server\\share", null],
  ] as const) {
    it(`leads ${JSON.stringify(path)} through ${JSON.stringify(folders)}`, () => {
      assert.deepEqual(foldersBelow(path), folders);
    });
  }
});
