const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

export const INSTANT_EXAMPLE = "2030-12-31T18:00:00Z";

/** True for ISO 8601 with seconds and a zone. */
export const isInstant = (text: string): boolean => INSTANT.test(text) && !Number.isNaN(Date.parse(text));
