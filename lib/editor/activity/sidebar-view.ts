export interface SidebarView {
  /** Unique among the views. */
  readonly id: string;
  readonly label: string;
  readonly element: HTMLElement;
  /** Called once, when the editor has the tab. */
  start(): void;
  /** The view becomes the visible one, or is no longer. */
  shown(visible: boolean): void;
}
