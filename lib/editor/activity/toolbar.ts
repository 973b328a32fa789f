import { button, el, select } from "./dom";
import { SCOPES, type Scope } from "./node-lookup";
import { texts } from "./formatting";

export interface ToolbarActions {
  readonly search: (text: string) => void;
  readonly scope: (scope: Scope) => void;
  readonly clear: () => void;
}

/** Search box, choice of nodes, and the button that clears the list. */
export function buildToolbar({ search, scope, clear }: ToolbarActions): HTMLElement {
  const input = el("input");
  input.type = "text";
  input.placeholder = texts("search");
  const box = el("div", "messaging-activity-search", input);
  const scopes = select(
    texts("scope.title"),
    SCOPES.map((each) => [each, texts(`scope.${each}`)] as const),
    (value) => scope(value as Scope),
  );
  const trash = button({ icon: "trash", tip: texts("clear") }, clear);
  trash.disabled = !RED.user.hasPermission("flows.write");
  const bar = el("div", "red-ui-sidebar-header messaging-activity-toolbar", box, scopes, trash);
  // The search box of Node-RED; the input also works without it.
  try {
    $(input).searchBox({ style: "compact", delay: 150, change: () => search(input.value) });
  } catch {
    input.addEventListener("input", () => search(input.value));
  }
  return bar;
}
