import type { IncomingHttpHeaders } from "node:http";
import type { Endpoint } from "./endpoint";
import type { Refusal } from "../rules/field-rules";

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

const BODY_TYPES = {
  form: FORM,
  "form-or-query": FORM,
  json: JSON_TYPE,
  multipart: "multipart/form-data",
} as const;

export function checkContentType(
  endpoint: Endpoint,
  headers: IncomingHttpHeaders,
  bodyLength: number,
): Refusal | null {
  if (headers["content-encoding"] !== undefined) return refuse(415, "compressed bodies are not supported");
  if (endpoint.encoding === "query") {
    return bodyLength === 0 ? null : refuse(400, "this endpoint takes no body");
  }
  const given = headers["content-type"];
  if (bodyLength === 0 && given === undefined && endpoint.encoding === "form-or-query") return null;
  const wanted = BODY_TYPES[endpoint.encoding];
  const { type, charset } = parse(given ?? "");
  if (type !== wanted) return refuse(415, `content type must be ${wanted}`);
  if (charset !== null && charset !== endpoint.charset) {
    return refuse(415, `character set must be ${endpoint.charset}, not ${charset}`);
  }
  if (wanted !== FORM && !acceptsJson(headers.accept)) {
    return refuse(406, `header Accept must accept ${JSON_TYPE}`);
  }
  return null;
}

function refuse(httpStatus: number, reason: string): Refusal {
  return { code: null, httpStatus, reason };
}

function parse(header: string): { type: string; charset: string | null } {
  const [type = "", ...parameters] = header.split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  return { type, charset: charset ? charset.slice("charset=".length).replaceAll('"', "") : null };
}

/** RFC 9110: without the header any type is accepted, and the most specific range counts. */
function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined) return true;
  const ranges = accept.split(",").map((range) => range.split(";").map((part) => part.trim().toLowerCase()));
  const range = [JSON_TYPE, "application/*", "*/*"]
    .map((wanted) => ranges.find(([type]) => type === wanted))
    .find((found) => found !== undefined);
  return range !== undefined && !range.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
}
