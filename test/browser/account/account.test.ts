import assert from "node:assert/strict";
import type { Response } from "playwright-core";
import { type Simulator, startSimulator } from "../../../simulator/index";
import { itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";

const SECRET = "a-password-nobody-else-has";

onEachEditor("account dialog", (bench) => {
  let simulator: Simulator;
  before(async () => {
    simulator = await startSimulator();
  });
  // Without a browser it was never started.
  after(() => simulator?.close());

  const resultLines = "#node-config-dialog-edit-form .messaging-result-lines";

  itOnBoth("can be added from the dialog of a send node, with the simulator as the default", async () => {
    const { editor } = bench;
    const { page } = editor;
    const id = await editor.add("sms-send");
    await editor.show(id);
    await bench.editor.showAccount();
    assert.equal(await page.inputValue("#node-config-input-service"), "simulator");
    await page.fill("#node-config-input-name", "Shop");
    await page.click(".messaging-connection-test button");
    await page.waitForSelector(`${resultLines} .messaging-result-line-ok`);
    assert.match(await page.innerText(resultLines), /simulator/i);
    await bench.editor.closeAccount("ok");
    assert.match(await page.innerText("#node-input-account option:checked"), /Shop/);
    await editor.done();
    await editor.show(id);
    assert.match(await page.innerText("#node-input-account option:checked"), /Shop/);
    await editor.done();
  });

  itOnBoth("scrolls to what the connection test says, below a button at the lower edge", async () => {
    const { editor } = bench;
    const { page } = editor;
    await editor.show(await editor.add("sms-send"));
    await bench.editor.showAccount();
    const button = page.locator(".messaging-connection-test button");
    const area = page.locator(".red-ui-tray-body").last();
    const bottom = async (what: typeof area): Promise<number> => {
      const { y = 0, height = 0 } = (await what.boundingBox()) ?? {};
      return y + height;
    };
    // So low a page that the button ends it.
    const size = page.viewportSize() ?? { width: 1500, height: 1000 };
    const below = (await bottom(area)) - (await bottom(button));
    await page.setViewportSize({ ...size, height: Math.round(size.height - below + 10) });
    await button.click();
    const first = page.locator(`${resultLines} .messaging-result-line-warning`).first();
    await first.waitFor();
    assert.ok((await bottom(first)) <= (await bottom(area)), "the first line is out of sight");
    await page.setViewportSize(size);
    await bench.editor.closeAccount();
    await editor.cancel();
  });

  itOnBoth("keeps what is filled in, and never gets a secret back", async () => {
    const { editor, nodeRed } = bench;
    const { page } = editor;
    const bodies: Promise<string>[] = [];
    const keep = (response: Response): void => void bodies.push(response.text().catch(() => ""));
    page.on("response", keep);
    const id = await editor.add("sms-send");
    await editor.show(id);
    await bench.editor.showAccount();
    await page.selectOption("#node-config-input-service", "service");
    await page.fill("#node-config-input-serviceAddress", simulator.url);
    await page.fill("#node-config-input-username", "ann");
    await page.fill("#node-config-input-password", SECRET);
    await bench.editor.closeAccount("ok");
    await editor.done();
    await editor.deploy();

    await editor.show(id);
    await page.click("#node-input-btn-account-edit");
    await editor.opened("#node-config-input-name");
    assert.equal(await page.inputValue("#node-config-input-serviceAddress"), simulator.url);
    assert.equal(await page.inputValue("#node-config-input-username"), "ann");
    assert.equal(await page.inputValue("#node-config-input-password"), "__PWRD__");
    // Stored secrets go to the stored address only.
    await page.fill(
      "#node-config-input-serviceAddress",
      `${simulator.url}/elsewhere`.replace("127.0.0.1", "localhost"),
    );
    await page.click(".messaging-connection-test button");
    await page.waitForSelector(`${resultLines} .messaging-result-line-failed`);
    assert.match(await page.innerText(resultLines), /Password/);
    assert.ok(!(await page.content()).includes(SECRET));
    page.off("response", keep);
    for (const body of await Promise.all(bodies)) {
      assert.ok(!body.includes(SECRET), "a secret came back");
    }
    assert.ok(!nodeRed.logs().includes(SECRET));
  });

  /** Opens the dialog of a new account at the real service, and fills it in. */
  const openReal = async (values: Readonly<Record<string, string>>, legacyAuth = "basic"): Promise<void> => {
    const { page } = bench.editor;
    await bench.editor.showAccount("_ADD_");
    await page.selectOption("#node-config-input-service", "service");
    await page.selectOption("#node-config-input-legacyAuth", legacyAuth);
    for (const [name, value] of Object.entries(values)) {
      await page.fill(`#node-config-input-${name}`, value);
    }
    await page.click(".messaging-connection-test button");
  };

  itOnBoth("says first that WhatsApp and RCS lack an application id, when all else works", async () => {
    await openReal({ serviceAddress: simulator.url }, "none");
    const first = bench.editor.page.locator(`${resultLines} > *`).first();
    await first.filter({ hasText: "application id" }).waitFor();
    assert.match(await first.innerText(), /Everything that is filled in works.*WhatsApp and RCS also need/s);
  });

  it("names the failed checks above the list, and shows them before all others", async () => {
    const { page } = bench.editor;
    await openReal({ serviceAddress: simulator.url, username: "ann", password: "wrong" });
    await page.waitForSelector(`${resultLines} .messaging-result-line-failed`);
    const lines = (await page.locator(`${resultLines} li`).allInnerTexts()).map((line) =>
      line.replaceAll("\n", " "),
    );
    assert.equal(lines[0], "Failed: SMS sign-in.");
    assert.match(lines[1] ?? "", /^SMS sign-in: The service refused the credentials/);
    assert.doesNotMatch(lines.join(" "), /•••/);
    assert.ok(
      lines.some((line) => line.startsWith("Application id: Not filled in. WhatsApp and RCS need one")),
      String(lines),
    );
  });

  it("explains a failed check", async () => {
    await openReal({ serviceAddress: "http://127.0.0.1:9" }, "none");
    await bench.editor.page.waitForSelector(`${resultLines} .messaging-result-line-failed`);
    assert.match(await bench.editor.page.innerText(resultLines), /127\.0\.0\.1:9|refused|reach/i);
  });
});
