import { z } from "zod";
import { isHeader } from "../util/is-header";
import { parseInput } from "../util/parse-input";

const RESERVED_HEADERS =
  /^(accept|content-type|content-length|transfer-encoding|connection|expect|upgrade)$/i;

const isPermitted = ([name, value]: [string, string]) =>
  !RESERVED_HEADERS.test(name) && isHeader(name, value);

const newWebhook = z.strictObject({
  kind: z.enum(["inbound", "status"]),
  /** On any host. User, password and query are sent unchanged. */
  url: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }),
  headers: z
    .record(z.string(), z.string())
    .refine((headers) => Object.entries(headers).every(isPermitted), "has a header that is not permitted")
    .optional(),
  label: z.string().optional(),
  /** Each n-th attempt is cut; 0 for none. Default: the setting of the simulator. */
  cutEvery: z.int().min(0).optional(),
});

export type NewWebhook = Readonly<z.infer<typeof newWebhook>>;

export const parseWebhook = (input: unknown): NewWebhook => parseInput("webhook", newWebhook, input);
