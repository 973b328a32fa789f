import type { ComponentType } from "preact";
import type { ViewId } from "../view-ids";

export interface ViewProps {
  /** Id of the chosen account. */
  readonly account: string;
  /** True if the user sees the view. */
  readonly isActive: boolean;
  /** Number of deploys since the sidebar was loaded. */
  readonly deploys: number;
  /** The person whose conversation was asked for last; another object for each time. */
  readonly person: { readonly number: string };
  /** Shows the conversation with a person; null for a user who may not read it. */
  readonly converse: ((number: string) => void) | null;
}

export interface View {
  readonly id: ViewId;
  /** Key of its text. */
  readonly label: string;
  /** False if the view has nothing about the account. */
  readonly isOffered?: (account: string) => boolean;
  readonly Component: ComponentType<ViewProps>;
}
