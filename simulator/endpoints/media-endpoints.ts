import { writeError } from "./answer-writers";
import { OAUTH_CODES } from "./codes";
import type { AnswerContext, Endpoint } from "./endpoint";
import { uploadedFile } from "../rules/field-checks";
import { isUuid } from "../util/formats";
import type { FieldRule, Fields } from "../rules/field-rules";
import { jsonReply, type Reply } from "./reply";
import { UploadedFile } from "../request/uploaded-file";

const invalidMedia = { missing: 4034, invalid: 4034, httpStatus: 400 } as const;

const FILE: FieldRule = { ...invalidMedia, name: "file", type: "file", check: uploadedFile };

export const MEDIA_ID: FieldRule = {
  ...invalidMedia,
  name: "mediaId",
  type: "text",
  check: (id, _fields, { inventory }) => {
    if (!isUuid(id)) return { reason: "must be a UUID" };
    return inventory.media.get(id) ? null : { reason: "is not known", httpStatus: 404 };
  },
};

function upload({ file }: Fields, { inventory }: AnswerContext): Reply {
  return jsonReply(201, { mediaId: inventory.media.add(file as UploadedFile) });
}

function download({ mediaId }: Fields, { inventory }: AnswerContext): Reply {
  const file = inventory.media.get(String(mediaId));
  // The check of the parameter ran in the same tick.
  if (!file) throw new Error("the media file is missing");
  const reply = {
    httpStatus: 200,
    headers: {
      "content-type": file.contentType,
      "content-disposition": contentDisposition(file.fileName),
    },
    statusCode: null,
  };
  return file instanceof UploadedFile
    ? { ...reply, body: file.content }
    : { ...reply, body: Buffer.alloc(0), generated: file.content };
}

/** RFC 6266: an ASCII file name, and for other names also the encoded original (RFC 5987). */
function contentDisposition(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]/gu, "_").replace(/["\\]/g, "\\$&");
  if (/^[\x20-\x7e]*$/.test(fileName)) return `attachment; filename="${plain}"`;
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const common = { auth: "bearer", charset: "utf-8", codes: OAUTH_CODES.media, write: writeError } as const;

export const MEDIA_ENDPOINTS: readonly Endpoint[] = [
  {
    ...common,
    id: "media-upload",
    method: "POST",
    path: "/messaging/media",
    scope: "media:create",
    encoding: "multipart",
    fields: [FILE],
    action: { kind: "answer", reply: upload },
  },
  {
    ...common,
    id: "media-download",
    method: "GET",
    path: "/messaging/media/{mediaId}",
    scope: "media:read",
    encoding: "query",
    fields: [MEDIA_ID],
    action: { kind: "answer", reply: download },
  },
];
