import assert from "node:assert/strict";
import { Window } from "happy-dom";
import { render } from "preact";
import { act } from "preact/test-utils";
import { POLL } from "../../../plugins/messaging-sidebar/shared/use-poll";
import { Sidebar } from "../../../plugins/messaging-sidebar/sidebar";
import type { ViewId } from "../../../plugins/messaging-sidebar/view-ids";
import { waitFor } from "../wait-for";
import { FakeEditor } from "./fake-editor";
import { FakeRuntime } from "./fake-runtime";

const GLOBALS = ["window", "document", "IntersectionObserver", "FileReader", "RED", "$"] as const;
/** ms between two readings. */
const INTERVAL = 5;
/** ms that a test waits for a condition. */
const PATIENCE = 10_000;

/** The sidebar in a page without a browser. */
export class SidebarPage {
  readonly editor = new FakeEditor();
  runtime = new FakeRuntime({});
  readonly #root: HTMLElement;

  constructor() {
    this.#root = document.createElement("div");
    document.body.append(this.#root);
  }

  /** Shows a view of the first account. */
  async show(view: ViewId, handlers: FakeRuntime["handlers"]): Promise<void> {
    this.runtime = new FakeRuntime({ "sending/look": () => SENDING, ...handlers });
    Object.assign(globalThis, { RED: this.editor.RED, $: fakeJQuery(this.runtime) });
    await this.open(view);
  }

  async open(view: ViewId): Promise<void> {
    await act(() => render(<Sidebar wanted={{ view }} />, this.#root));
  }

  close(): void {
    void act(() => render(null, this.#root));
    this.#root.remove();
  }

  /** Text of the visible view, with single blanks. */
  get text(): string {
    return this.textOf(".messaging-view:not([hidden])");
  }

  textOf(selector: string): string {
    return (this.#root.querySelector(selector)?.textContent ?? "").replace(/\s+/g, " ").trim();
  }

  all(selector: string): readonly HTMLElement[] {
    return [...this.#root.querySelectorAll<HTMLElement>(`.messaging-view:not([hidden]) ${selector}`)];
  }

  /** Texts of elements, with single blanks. */
  texts(selector: string): readonly string[] {
    return this.all(selector).map(({ textContent }) => (textContent ?? "").replace(/\s+/g, " ").trim());
  }

  /** A button or another element with this text or label. */
  named(name: string, selector = "button, summary"): HTMLElement {
    const found = [...this.#root.querySelectorAll<HTMLElement>(selector)].filter(
      (each) =>
        each.closest("[hidden]") === null &&
        (each.textContent?.trim() === name || each.getAttribute("aria-label") === name),
    );
    assert.equal(found.length, 1, `${found.length} elements are called “${name}”`);
    return found[0] as HTMLElement;
  }

  input(label: string): HTMLInputElement {
    return this.named(label, "input") as HTMLInputElement;
  }

  async press(name: string | HTMLElement): Promise<void> {
    const element = typeof name === "string" ? this.named(name) : name;
    await act(() => element.click());
  }

  async type(label: string, value: string, key?: string): Promise<void> {
    const input = this.input(label);
    await act(() => {
      input.value = value;
      input.dispatchEvent(new window.Event("input", { bubbles: true }));
    });
    if (key !== undefined) await this.key(input, key);
  }

  async key(element: HTMLElement, key: string): Promise<void> {
    await act(() => {
      element.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true }));
    });
  }

  async choose(label: string, value: string): Promise<void> {
    const select = this.named(label, "select") as HTMLSelectElement;
    await act(() => {
      select.value = value;
      assert.equal(select.value, value, label);
      select.dispatchEvent(new window.Event("change", { bubbles: true }));
    });
  }

  /** Waits until the visible view has a text. */
  async sees(text: string | RegExp): Promise<void> {
    const has = (): boolean => (typeof text === "string" ? this.text.includes(text) : text.test(this.text));
    await waitFor(`“${text}”`, has, PATIENCE).catch(() => assert.fail(`“${text}” is not in: ${this.text}`));
  }

  /** Waits until a condition is true. */
  until(condition: () => boolean): Promise<unknown> {
    return waitFor(String(condition), condition, PATIENCE);
  }
}

const SENDING = {
  stoppedSince: null,
  stoppedBySettings: false,
  refused: [],
  waiting: 0,
  refusedCalls: { count: 0, since: new Date(0).toISOString(), reasons: [] },
};

/** An element with a text, which the question before an action is made with. */
function fakeJQuery({ ajax }: FakeRuntime): object {
  const make = (): object => {
    const element = document.createElement("p");
    return {
      text(text: string) {
        element.textContent = text;
        return this;
      },
      html(html: string) {
        element.innerHTML = html;
        return this;
      },
      prop: () => element.outerHTML,
    };
  };
  return Object.assign(make, { ajax });
}

/** Gives each test a sidebar of an account `shop`. */
export function useSidebar(): { readonly page: () => SidebarPage } {
  let page: SidebarPage;
  const former = POLL.intervalMs;
  beforeEach(() => {
    POLL.intervalMs = INTERVAL;
    const browser = new Window({ url: "http://localhost:1880/" });
    const { document, IntersectionObserver, FileReader } = browser;
    Object.assign(globalThis, { window: browser, document, IntersectionObserver, FileReader });
    page = new SidebarPage();
    page.editor.nodes = [{ id: "shop", type: "messaging-account", name: "A shop", service: "simulator" }];
  });
  afterEach(() => {
    page.close();
    POLL.intervalMs = former;
    for (const name of GLOBALS) Reflect.deleteProperty(globalThis, name);
  });
  return { page: () => page };
}
