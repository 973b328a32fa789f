import { jsonReply, type Reply } from "./reply";

/** What an endpoint says about one request. */
export interface SendResult {
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly clientMessageId: string | null;
  readonly transferId: string | null;
  readonly smsCount: number;
}

/** Turns a result into the form that one endpoint answers in. */
export type AnswerWriter = (result: SendResult, httpStatus: number) => Reply;

/** `statusCode=2000&…` in ISO-8859-1, the way the request came; what is null is left out. */
export const writeForm: AnswerWriter = (result, httpStatus) => {
  const pairs = sendResponse(result)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${encodeLatin1(String(value))}`);
  return {
    httpStatus,
    headers: { "content-type": "application/x-www-form-urlencoded;charset=ISO-8859-1" },
    body: Buffer.from(pairs.join("&"), "latin1"),
    statusCode: result.statusCode,
  };
};

/** The same fields in JSON; what is null is written as null. */
export const writeJson: AnswerWriter = (result, httpStatus) =>
  jsonReply(httpStatus, Object.fromEntries(sendResponse(result)), result.statusCode);

/** The send response of the OAuth style; a failure is code and text only. */
export const writeOAuth: AnswerWriter = (result, httpStatus) => {
  const { statusCode, statusMessage, clientMessageId, transferId } = result;
  if (transferId === null) return writeError(result, httpStatus);
  return jsonReply(httpStatus, { statusCode, statusMessage, clientMessageId, transferId }, statusCode);
};

/** Code and text only: what an endpoint with an OAuth-style error answers. */
export const writeError: AnswerWriter = ({ statusCode, statusMessage }, httpStatus) =>
  jsonReply(httpStatus, { statusCode, statusMessage }, statusCode);

function sendResponse(result: SendResult): [string, string | number | null][] {
  return [
    ["statusCode", result.statusCode],
    ["statusMessage", result.statusMessage],
    ["clientMessageId", result.clientMessageId],
    ["transferId", result.transferId],
    ["smsCount", result.smsCount],
  ];
}

function encodeLatin1(text: string): string {
  return text
    .replace(/[^\x20-\xff]/gu, "?")
    .replace(/[^A-Za-z0-9*._ -]/g, (character) => {
      return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .replaceAll(" ", "+");
}
