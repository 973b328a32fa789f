export interface KnownTemplate {
  readonly name: string;
  readonly locale: string;
  /** Known for templates of the simulator. */
  readonly text?: string;
}

export const MOST_TEMPLATES = 50;

/** POST {simulated} below the path of an account, which may not be deployed yet. */
export const TEMPLATES_ROUTE = "templates";

export const templatesPath = (accountId: string): string =>
  `messaging-account/${encodeURIComponent(accountId)}/${TEMPLATES_ROUTE}`;
