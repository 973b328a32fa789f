import { jsonReply, type Reply } from "./reply";

export interface SendResult {
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly clientMessageId: string | null;
  readonly transferId: string | null;
  readonly smsCount: number;
}

export type AnswerWriter = (result: SendResult, httpStatus: number) => Reply;

export const writeForm: AnswerWriter = (result, httpStatus) => {
  const pairs = responseFields(result)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${encodeLatin1(String(value))}`);
  return {
    httpStatus,
    headers: { "content-type": "application/x-www-form-urlencoded;charset=ISO-8859-1" },
    body: Buffer.from(pairs.join("&"), "latin1"),
    statusCode: result.statusCode,
  };
};

export const writeJson: AnswerWriter = (result, httpStatus) =>
  jsonReply(httpStatus, Object.fromEntries(responseFields(result)), result.statusCode);

export const writeOAuth: AnswerWriter = (result, httpStatus) => {
  const { statusCode, statusMessage, clientMessageId, transferId } = result;
  if (transferId === null) return writeError(result, httpStatus);
  return jsonReply(httpStatus, { statusCode, statusMessage, clientMessageId, transferId }, statusCode);
};

export const writeError: AnswerWriter = ({ statusCode, statusMessage }, httpStatus) =>
  jsonReply(httpStatus, { statusCode, statusMessage }, statusCode);

function responseFields(result: SendResult): [string, string | number | null][] {
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
