import assert from "node:assert/strict";
import type { Response } from "playwright-core";
import { type Simulator, startSimulator } from "../../../simulator/index";
import { EMPTY_TAB, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";

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
    await page.click("#node-input-btn-account-add");
    await editor.opened("#node-config-input-name");
    assert.equal(await page.inputValue("#node-config-input-service"), "simulator");
    await page.fill("#node-config-input-name", "Shop");
    await page.click(".messaging-connection-test button");
    await page.waitForSelector(`${resultLines} .messaging-result-line-ok`);
    assert.match(await page.innerText(resultLines), /simulator/i);
    await page.click("#node-config-dialog-ok");
    await page.waitForSelector("#node-config-dialog-edit-form", { state: "detached" });
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
    await page.click("#node-input-btn-account-add");
    await editor.opened("#node-config-input-name");
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
    await page.click("#node-config-dialog-cancel");
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
    await page.click("#node-input-btn-account-add");
    await editor.opened("#node-config-input-name");
    await page.selectOption("#node-config-input-service", "service");
    await page.fill("#node-config-input-serviceAddress", simulator.url);
    await page.fill("#node-config-input-username", "ann");
    await page.fill("#node-config-input-password", SECRET);
    await page.click("#node-config-dialog-ok");
    await page.waitForSelector("#node-config-dialog-edit-form", { state: "detached" });
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

  itOnBoth("says first that WhatsApp and RCS lack an application id, when all else works", async () => {
    const { editor } = bench;
    const { page } = editor;
    await editor.show(await editor.add("sms-send"));
    await page.click("#node-input-btn-account-add");
    await editor.opened("#node-config-input-name");
    await page.selectOption("#node-config-input-service", "service");
    await page.fill("#node-config-input-serviceAddress", simulator.url);
    await page.selectOption("#node-config-input-legacyAuth", "none");
    await page.click(".messaging-connection-test button");
    const first = page.locator(`${resultLines} > *`).first();
    await first.filter({ hasText: "application id" }).waitFor();
    assert.match(await first.innerText(), /Everything that is filled in works.*WhatsApp and RCS also need/s);
  });

  it("names the failed checks above the list, and shows them before all others", async () => {
    const { editor, nodeRed } = bench;
    const { page } = editor;
    await nodeRed.deploy([EMPTY_TAB]);
    await editor.showAnew();
    await page.evaluate('RED.editor.editConfig("", "messaging-account", "_ADD_")');
    await editor.opened("#node-config-input-name");
    await page.selectOption("#node-config-input-service", "service");
    await page.fill("#node-config-input-serviceAddress", simulator.url);
    await page.fill("#node-config-input-username", "ann");
    await page.fill("#node-config-input-password", "wrong");
    await page.click(".messaging-connection-test button");
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
    await page.click("#node-config-dialog-cancel");
  });

  it("explains a failed check", async () => {
    const { editor, nodeRed } = bench;
    const { page } = editor;
    const account = {
      id: "account",
      type: "messaging-account",
      name: "Down",
      service: "service",
      serviceAddress: "http://127.0.0.1:9",
      legacyAuth: "none",
      keepMessages: "memory",
    };
    await nodeRed.deploy([EMPTY_TAB, account]);
    await editor.showAnew();
    await page.evaluate('RED.editor.editConfig("", "messaging-account", "account")');
    await editor.opened("#node-config-input-name");
    await page.click(".messaging-connection-test button");
    await page.waitForSelector(`${resultLines} .messaging-result-line-failed`);
    assert.match(await page.innerText(resultLines), /127\.0\.0\.1:9|refused|reach/i);
    await page.click("#node-config-dialog-cancel");
  });
});
