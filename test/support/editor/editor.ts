import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";
import { findBrowser } from "../fetched-tools";
import { HURRIED_PAGE } from "./hurried-page";
import { RENEW_SIDEBAR } from "./renew-sidebar";

const BROWSER_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // There is no graphics card to hand the picture to.
  "--disable-gpu-compositing",
];

/** Says why there is no browser. @returns null if there is one */
export const browserMissing = (): string | null => (findBrowser() ? null : "there is no Chromium");

/** Launches the browser of this computer, or the fetched one. @throws Error if there is none */
export function launchBrowser(): Promise<Browser> {
  const browser = findBrowser();
  if (browser === null) throw new Error("there is no Chromium: npm test fetches one");
  const env = { ...(process.env as Record<string, string>), ...browser.env };
  return chromium.launch({ executablePath: browser.path, args: BROWSER_FLAGS, env });
}

/** ms that a page may take, on a busy machine too, for what a test waits for. */
const PATIENCE = 120_000;
/** Asked again after so many ms, not with each picture: an idle page draws none for it. */
const SELDOM = { polling: 50 };

export interface EditorOptions extends BrowserContextOptions {
  /** Nothing moves in the page, and it does not wait for what would move. */
  readonly hurried?: boolean;
}

/** What the inputs of an open dialog hold, by their ids. */
export type FormValues = Readonly<Record<string, string | boolean>>;

/** Runs in the page; a text, because tests are compiled without the browser's types. */
const FORM_VALUES = `Object.fromEntries(
  [...document.querySelectorAll("#dialog-form [id^='node-input-'], #node-config-dialog-edit-form [id^='node-config-input-']")]
    .filter((element) => "value" in element)
    .map((element) => [element.id, element.type === "checkbox" ? element.checked : element.value]),
)`;

/** Runs in the page. Outputs follow other settings, and accounts, kinds and secrets are chosen by the test. */
const FILL_FIELDS = `async (form) => {
  const filled = new Set();
  const skipped = /-btn-|-(name|account|kind|answer|first|outputs|service|tls|proxy|storeTls)$/;
  const next = () => {
    const waiting = $(form).find("[id^='node-input-'], [id^='node-config-input-']").get().filter((each) =>
      !filled.has(each) && !skipped.test(each.id) && each.type !== "password"
        && ($(each).data("noderedTypedInput") !== undefined ? $(each).closest(".form-row").css("display") !== "none" : each.offsetParent !== null));
    const order = (each) => (each.type === "checkbox" ? 1 : each.tagName === "SELECT" ? 2 : 0);
    return waiting.sort((one, other) => order(one) - order(other))[0];
  };
  for (let each = next(); each !== undefined; each = next()) {
    filled.add(each);
    const value = "field" + filled.size;
    if ($(each).data("noderedTypedInput") !== undefined) {
      $(each).typedInput("type", "msg");
      if ($(each).typedInput("type") === "msg") $(each).typedInput("value", "payload." + value);
    } else if (each.type === "checkbox") {
      each.click();
    } else {
      const others = [...(each.options ?? [])].map((option) => option.value).filter((other) => other !== each.value && other !== "_ADD_");
      $(each).val(each.tagName === "SELECT" ? (others.at(-1) ?? each.value) : value).trigger("input").trigger("change");
    }
    // Rows that depend on it are shown after that.
    await new Promise((resolve) => setTimeout(resolve));
  }
  return filled.size;
}`;

/**
 * Runs in the page: closes whatever is open, and shows the flows that are deployed now, as the editor itself does after a change of
 * the project.
 */
const SHOW_ANEW = `(async () => {
  const trays = document.getElementsByClassName("red-ui-tray");
  while (trays.length > 0) await new Promise((resolve) => RED.tray.close(() => setTimeout(resolve)));
  $(".ui-dialog-content").each((_at, element) => void ($(element).dialog("isOpen") && $(element).dialog("close")));
  for (const note of document.querySelectorAll(".red-ui-notification")) note.close();
  for (const open of [RED.typeSearch, RED.search, RED.actionList]) open.hide(true);
  RED.popover.hideAll?.();
  $(".red-ui-popover, .red-ui-menu-dropdown.red-ui-menu-open").remove();
  localStorage.clear();
  const filter = $("#red-ui-palette-search input");
  if (filter.val() !== "") filter.searchBox("value", "");
  RED.nodes.clear();
  RED.history.clear();
  const { rev, flows } = await $.ajax({ headers: { Accept: "application/json" }, cache: false, url: "flows" });
  RED.nodes.version(rev);
  RED.nodes.import(flows);
  RED.nodes.dirty(false);
  RED.view.redraw(true, true);
  RED.workspaces.show(RED.nodes.getWorkspaceOrder()[0]);
  $("#red-ui-workspace-chart").scrollTop(0).scrollLeft(0);
  RED.events.emit("flows:loaded");
})()`;

/** Node-RED's editor in a browser, used as a person uses it. Notes what the page complains about. */
export class EditorPage {
  /** Errors of the console and of scripts, and requests that failed. */
  readonly complaints: string[] = [];

  private constructor(
    readonly page: Page,
    /** Of its Node-RED. */
    readonly url: string,
  ) {
    page.on("console", (message) => {
      if (message.type() === "error") {
        this.complaints.push(`console: ${message.text()}`);
      }
    });
    // The editor asks whether changes may be lost when a page is left.
    page.on("dialog", (dialog) => void dialog.accept());
    page.on("pageerror", ({ message }) => {
      this.complaints.push(`script: ${message}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) {
        this.complaints.push(`${response.status()} ${response.request().method()} ${response.url()}`);
      }
    });
  }

  /** Opens the editor and waits until this package's nodes are in its palette. */
  static async open(
    browser: Browser,
    url: string,
    { dark = false, ...options }: EditorOptions & { readonly dark?: boolean } = {},
  ): Promise<EditorPage> {
    const editor = await EditorPage.blank(browser, url, options);
    await editor.reload();
    await editor.dark(dark);
    return editor;
  }

  /** Opens a page that shows nothing yet. */
  static async blank(
    browser: Browser,
    url: string,
    { hurried = false, ...options }: EditorOptions = {},
  ): Promise<EditorPage> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: "en-US",
      ...options,
    });
    if (hurried) await context.addInitScript(HURRIED_PAGE);
    context.setDefaultTimeout(PATIENCE);
    return new EditorPage(await context.newPage(), url);
  }

  /** Loads the page again, and with it what is deployed now. */
  async reload(): Promise<void> {
    await this.page.goto(this.url);
    await this.#loaded();
  }

  /** Lets flows be deployed by others without a word of the editor about it. */
  async expectDeploy(): Promise<void> {
    if (this.isOpen) await this.page.evaluate("RED.nodes.version(null)");
  }

  /** Whether the page shows the editor at this moment. */
  get isOpen(): boolean {
    return this.page.url().startsWith(this.url);
  }

  /** Shows what is deployed now in the page as it is, which takes a tenth of the time that it takes to load. */
  async showAnew(): Promise<void> {
    await this.page.evaluate(SHOW_ANEW);
    this.complaints.length = 0;
  }

  /** The same, with a sidebar that remembers nothing. */
  async renew(): Promise<void> {
    await this.showAnew();
    await this.page.evaluate(RENEW_SIDEBAR);
  }

  /** Turns the dark colours of Node-RED 5 on or off, as the dialog of its settings does; version 4 has light ones only. */
  async dark(on: boolean): Promise<void> {
    await this.page.evaluate(`document.documentElement.classList.toggle("nr-theme-dark", ${on})`);
  }

  /** Loads the page again as a person sees it who was never here. */
  async startOver(): Promise<void> {
    await this.leave();
    await this.reload();
    this.complaints.length = 0;
  }

  /** Leaves the page, which forgets everything; `reload` comes back to it. */
  async leave(): Promise<void> {
    await this.page.context().setOffline(false);
    if (this.isOpen) await this.page.evaluate("localStorage.clear()");
    await this.page.goto("about:blank");
    this.complaints.length = 0;
  }

  async #loaded(): Promise<void> {
    await this.page.waitForFunction(
      'window.RED?.nodes?.getType?.("messaging-webhook-ack")',
      undefined,
      SELDOM,
    );
    await this.page.waitForSelector("#red-ui-workspace-chart svg");
    await this.page.waitForFunction(
      'document.querySelector("#red-ui-loading-progress")?.offsetParent == null',
      undefined,
      SELDOM,
    );
  }

  /** Drags a node out of the palette and gives its id. */
  async drag(type: string): Promise<string> {
    const { page } = this;
    const added = `(() => { let found = null; RED.nodes.eachNode((n) => { if (n.type === ${JSON.stringify(type)}) found = n.id; }); return found; })()`;
    const before = await page.evaluate(added);
    const source = page.locator(`.red-ui-palette-node[data-palette-type='${type}']`);
    for (let tries = 1; ; tries++) {
      await source.scrollIntoViewIfNeeded();
      const from = await source.boundingBox();
      const to = await page.locator("#red-ui-workspace-chart").boundingBox();
      if (!from || !to) {
        throw new Error(`${type} is not in the palette`);
      }
      await page.mouse.move(from.x + 20, from.y + 10);
      await page.mouse.down();
      await page.mouse.move(to.x + 300, to.y + 250, { steps: 10 });
      await page.mouse.up();
      try {
        const handle = await page.waitForFunction(
          `((id) => id !== ${JSON.stringify(before)} && id)(${added})`,
          undefined,
          { timeout: 10_000 },
        );
        return (await handle.jsonValue()) as string;
      } catch (error) {
        // On a busy machine the editor may miss the begin of a drag.
        if (tries === 3) throw error;
      }
    }
  }

  /** Puts a node into the flow as a drop from the palette does, and gives its id. */
  add(type: string): Promise<string> {
    return this.page.evaluate(`(() => {
      const { node, historyEvent } = RED.view.createNode(${JSON.stringify(type)}, 300, 250);
      const added = RED.nodes.add(node, { source: "palette" });
      RED.history.push(historyEvent);
      RED.editor.validateNode(added);
      RED.nodes.dirty(true);
      RED.view.select({ nodes: [added] });
      RED.view.redraw(true);
      return added.id;
    })()`);
  }

  /** Opens a node's dialog, wherever the node stands, and waits until it is open. */
  async show(id: string): Promise<void> {
    await this.page.evaluate(`RED.editor.edit(RED.nodes.node(${JSON.stringify(id)}))`);
    await this.opened();
  }

  /** Opens the dialog of an account. @param id without it, of a new one, from the dialog of a node */
  async showAccount(id?: string): Promise<void> {
    await (id === undefined
      ? this.page.click("#node-input-btn-account-add")
      : this.page.evaluate(`RED.editor.editConfig("", "messaging-account", "${id}")`));
    await this.opened("#node-config-input-name");
  }

  /** Closes the dialog of an account, and waits until it is gone. */
  async closeAccount(button: "ok" | "cancel" = "cancel"): Promise<void> {
    await this.page.click(`#node-config-dialog-${button}`);
    await this.page.waitForSelector("#node-config-dialog-edit-form", { state: "detached" });
  }

  /** Opens a node's dialog by a double click and waits until it is open. */
  async edit(id: string): Promise<void> {
    const node = this.page.locator(`[id="${id}"]`);
    await node.dblclick();
    // On a busy machine the editor may take the two clicks for single ones.
    const tray = this.page.locator("#node-input-name");
    await tray.waitFor({ timeout: 8_000 }).catch(() => node.dblclick());
    await this.opened();
  }

  /** Waits until the dialog with an input has slid in and has the focus, which it is given a moment later. */
  async opened(input = "#node-input-name"): Promise<void> {
    await this.page.waitForFunction(
      `document.querySelector(${JSON.stringify(input)})?.offsetParent && document.activeElement?.closest(".red-ui-tray")
        && [...document.querySelectorAll(".red-ui-tray")].every((tray) => getComputedStyle(tray).right === "0px")`,
      undefined,
      { polling: 15 },
    );
  }

  /** Waits until no tray is on its way. */
  async settled(): Promise<void> {
    await this.page.waitForFunction(
      `[...document.querySelectorAll(".red-ui-tray")].every((tray) => getComputedStyle(tray).right === "0px")`,
      undefined,
      { polling: 15 },
    );
  }

  values(): Promise<FormValues> {
    return this.page.evaluate(FORM_VALUES);
  }

  /** Properties of a node as the editor has them; those that it lacks are missing here as well. */
  held(id: string, names: readonly string[]): Promise<Record<string, unknown>> {
    return this.page.evaluate(
      `((node) => Object.fromEntries(${JSON.stringify(names)}.filter((name) => node[name] !== undefined)
        .map((name) => [name, node[name]])))(RED.nodes.node("${id}"))`,
    );
  }

  /** The row of a property in the open dialog. */
  row(property: string): Locator {
    return this.page.locator(".form-row", { has: this.page.locator(`[id="node-input-${property}"]`) });
  }

  /** What is wrong with a property, below its input. */
  fault(property: string): Locator {
    return this.row(property).locator(".messaging-fault");
  }

  /** Labels of the outputs of a node. */
  ports(id: string): Promise<readonly string[]> {
    return this.page.evaluate(
      `((node) => [...Array(node.outputs).keys()].map((at) => node._def.outputLabels.call(node, at)))(RED.nodes.node("${id}"))`,
    );
  }

  /** Outputs of a node, each with the id of a node that it is wired to. */
  wires(id: string): Promise<readonly string[]> {
    return this.page.evaluate(
      `RED.nodes.filterLinks({ source: RED.nodes.node("${id}") }).map(({ sourcePort, target }) => sourcePort + " " + target.id).sort()`,
    );
  }

  /** What the open dialog finds wrong, in lines below its inputs. */
  async faults(where = "#dialog-form"): Promise<readonly string[]> {
    // Faults are written after the change, before the page is drawn again.
    await this.page.evaluate("new Promise(requestAnimationFrame)");
    return this.page.locator(`${where} [role=alert]:visible`).allInnerTexts();
  }

  /** Properties that the last dialog changed. Node-RED counts credentials that were never typed among them. */
  async changes(): Promise<readonly string[]> {
    const names = await this.page.evaluate<string[]>("Object.keys(RED.history.peek()?.changes ?? {})");
    return names.filter((name) => name !== "credentials");
  }

  /** Chooses from the menu of a TypedInput that a button beside it opens. While the menu unfolds, a click may miss what moves. */
  async choose(button: Locator, option: string): Promise<void> {
    await button.click();
    const menu = ".red-ui-typedInput-options:visible";
    await this.page.waitForFunction(`$("${menu}").length > 0 && $("${menu}:animated").length === 0`);
    await this.page.locator(`${menu} a`, { hasText: option }).first().click();
  }

  /** Unfolds all groups of the open dialog: until then their fields have no inputs. */
  openGroups(): Promise<void> {
    return this.page.evaluate('$("#dialog-form details").attr("open", "")');
  }

  /**
   * Fills every visible input of the open dialog. Choices that decide which other inputs are shown come last.
   * @returns how many inputs were filled
   */
  async fillFields(form = "#dialog-form"): Promise<number> {
    await this.page.evaluate(`$("${form} details").attr("open", "")`);
    return this.page.evaluate(`(${FILL_FIELDS})(${JSON.stringify(form)})`);
  }

  /** Sets a field to a type and a value. */
  async type(field: string, type: string, value: string): Promise<void> {
    await this.openGroups();
    const input = `$("#node-input-${field}")`;
    await this.page.evaluate(
      `(${input}.typedInput("type", ${JSON.stringify(type)}), ${input}.typedInput("value", ${JSON.stringify(value)}))`,
    );
  }

  /** Presses Done, and waits until the dialog is gone. */
  async done(): Promise<void> {
    await this.page.click("#node-dialog-ok");
    await this.page.waitForSelector("#dialog-form", { state: "detached" });
  }

  /** Closes the dialog without keeping anything. */
  async cancel(): Promise<void> {
    await this.page.click("#node-dialog-cancel");
    await this.page.waitForSelector("#dialog-form", { state: "detached" });
  }

  /** Presses Deploy and waits until the flows run, whatever is said about unused or invalid nodes. */
  async deploy(): Promise<void> {
    const started = `fetch("test-recorder").then((answer) => answer.json()).then(({ starts }) => starts)`;
    const before = await this.page.evaluate(started);
    await this.page.click("#red-ui-header-button-deploy");
    const confirm = this.page.locator(".red-ui-notification button.primary");
    await this.page.waitForFunction(
      `document.querySelector(".red-ui-notification button.primary") || document.querySelector("#red-ui-header-button-deploy.disabled")`,
      undefined,
      SELDOM,
    );
    if (await confirm.count()) {
      await confirm.first().click();
    }
    await this.page.waitForFunction("!RED.nodes.dirty()", undefined, SELDOM);
    // The editor hears that its flows are saved before they have started.
    await this.page.waitForFunction(
      `${started}.then((starts) => starts > ${String(before)})`,
      undefined,
      SELDOM,
    );
  }

  /** Imports an example of this package from the list in the import dialog. */
  async importExample(name: string): Promise<void> {
    const { page } = this;
    await page.keyboard.press("Control+i");
    await page.locator("#red-ui-clipboard-dialog-import-text").waitFor({ state: "visible" });
    await page.click('a[href="#red-ui-clipboard-dialog-import-tab-examples"]');
    const entry = (text: string) =>
      page
        .locator("#red-ui-clipboard-dialog-import-tab-examples .red-ui-treeList-label-text")
        .getByText(text, { exact: true });
    const folder = entry("@messaging-service/node-red-messaging");
    await folder.waitFor();
    const tabs = Number(await page.evaluate("RED.workspaces.count()"));
    if (!(await entry(name).isVisible())) {
      await folder.click();
    }
    const ready = page.locator("#red-ui-clipboard-dialog-ok:not(:disabled)");
    // The list may be drawn anew under the mouse while it unfolds.
    for (let tries = 0; tries < 5 && !(await ready.isVisible()); tries++) {
      await entry(name).click();
      await ready.waitFor({ timeout: 2000 }).catch(() => undefined);
    }
    await ready.click();
    // The dialog closes at once; the flow is fetched after that. Each example has a tab.
    await page.waitForFunction(`RED.workspaces.count() > ${tabs}`);
  }

  /** Nodes that the editor calls invalid: their types, names and the reasons. */
  invalid(): Promise<readonly string[]> {
    return this.page.evaluate(
      `(() => { const found = []; RED.nodes.eachNode((n) => { if (n.valid === false) found.push(n.type + " " + n.name + " " + JSON.stringify(n.validationErrors)); }); return found; })()`,
    );
  }
}
