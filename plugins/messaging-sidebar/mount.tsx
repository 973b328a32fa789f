import { render } from "preact";
import { installStyle } from "../../lib/editor/dialog/style";
import { Sidebar } from "./sidebar";
import css from "./sidebar.css";
import type { ViewId } from "./view-ids";

/** Draws the sidebar. @returns shows a view */
export function mount(root: HTMLElement): (view: ViewId) => void {
  installStyle("messaging-sidebar-style", css);
  return (view) => render(<Sidebar wanted={{ view }} />, root);
}
