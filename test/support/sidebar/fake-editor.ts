import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../node-red/packed-package";

type Node = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string };

/** A question of the editor to the user. */
export interface Question {
  /** HTML, as the editor gets it. */
  readonly html: string;
  /** Presses the button with this index. */
  readonly press: (button: number) => void;
}

const catalogue = JSON.parse(
  readFileSync(join(ROOT, "plugins/messaging-sidebar/locales/en-US/messaging-sidebar.json"), "utf8"),
) as object;

/** A text of the catalogue, or its key, as the editor gives it. */
function getText(key: string, values: Readonly<Record<string, string>>): string {
  const path = key.slice(key.indexOf(":") + 1);
  const found = path
    .split(".")
    .reduce<unknown>((group, name) => (group as Record<string, unknown> | undefined)?.[name], catalogue);
  return typeof found === "string" ? found.replace(/__(\w+)__/g, (_all, name) => values[name] ?? "") : path;
}

/** The interface of Node-RED's editor, as far as the sidebar uses it. */
export class FakeEditor {
  nodes: readonly Node[] = [];
  denied: readonly string[] = [];
  readonly questions: Question[] = [];
  /** Ids of nodes that were shown, and of dialogs that were opened. */
  readonly shown: string[] = [];
  readonly #listeners = new Map<string, Set<() => void>>();

  emit(event: string): void {
    for (const listener of this.#listeners.get(event) ?? []) listener();
  }

  /** The global `RED`. */
  get RED(): object {
    const find = (id: string): Node | null => this.nodes.find((node) => node.id === id) ?? null;
    const listeners = (event: string): Set<() => void> => {
      const found = this.#listeners.get(event) ?? new Set();
      this.#listeners.set(event, found);
      return found;
    };
    return {
      _: getText,
      i18n: { lang: () => "en-US" },
      user: { hasPermission: (permission: string) => !this.denied.includes(permission) },
      events: {
        on: (event: string, listener: () => void) => listeners(event).add(listener),
        off: (event: string, listener: () => void) => listeners(event).delete(listener),
      },
      nodes: {
        node: find,
        eachConfig: (work: (node: Node) => boolean) => this.nodes.filter(({ z }) => !z).forEach(work),
        filterNodes: ({ type }: { readonly type?: string }) =>
          this.nodes.filter((node) => node.z !== undefined && (type === undefined || node.type === type)),
        subflow: () => null,
        workspace: () => ({ label: "Flow" }),
        getType: () => undefined,
      },
      utils: { getNodeLabel: ({ name }: Node, otherwise: string) => name || otherwise },
      view: { reveal: (id: string) => this.shown.push(id) },
      editor: { editConfig: (_name: string, _type: string, id: string) => this.shown.push(id) },
      notify: (
        html: string,
        { buttons }: { readonly buttons: readonly { readonly click: () => void }[] },
      ) => {
        this.questions.push({ html, press: (button) => buttons[button]?.click() });
        return { close() {} };
      },
    };
  }
}
