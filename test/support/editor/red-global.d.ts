/** What modules of the editor that unit tests load use of Node-RED's global. */
declare const RED: {
  _(key: string, values?: Readonly<Record<string, unknown>>): string;
  readonly i18n: { lang(): string | undefined };
};
