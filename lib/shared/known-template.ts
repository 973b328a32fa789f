/** A WhatsApp template that dialogs offer. */
export interface KnownTemplate {
  readonly name: string;
  /** Its language, as the service writes it, such as `en_US`. */
  readonly locale: string;
  /** Its approved text, where the account knows it: that of the simulator does. */
  readonly text?: string;
}

/** Templates that are kept and offered. */
export const MOST_TEMPLATES = 50;

/** Below the path of an account, POST {simulated}: `simulated` as the editor knows it, where the account may not be deployed yet. */
export const TEMPLATES_ROUTE = "templates";

export const templatesPath = (accountId: string): string =>
  `messaging-account/${encodeURIComponent(accountId)}/${TEMPLATES_ROUTE}`;
