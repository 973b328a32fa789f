import assert from "node:assert/strict";
import { readMediaSettings } from "../../../../lib/runtime/channels/media-settings";
import { prepareUpload } from "../../../../lib/runtime/channels/media-upload";
import { buildRcsMessage } from "../../../../lib/runtime/channels/rcs-message";
import { readRawPayload } from "../../../../lib/runtime/channels/rcs-raw";
import { WHATSAPP_CHANNEL } from "../../../../lib/runtime/channels/whatsapp-channel";
import { jsonValue } from "../../../../lib/runtime/fields/json-fields";
import { entryProblem, noValue } from "../../../../lib/runtime/fields/source-problem";
import { withInitialValues } from "../../../../lib/shared/fields/initial-values";
import { setLanguage } from "../../../../lib/texts/say";

const settings = (given: object) => readMediaSettings(withInitialValues("media-transfer", given));
const upload = (file: unknown) => prepareUpload({ file }, settings({ kind: "upload" }), {});

/** What is wrong, and the error that says so in German. */
const CASES: readonly (readonly [string, () => unknown, string])[] = [
  [
    "a setting of a media node",
    () => settings({ kind: "upload", from: "air" }),
    "Die Einstellung 'from' des Nodes ist 'air', muss aber buffer oder file sein. Öffnen Sie den Node und berichtigen Sie sie.",
  ],
  [
    "a text in place of a file",
    () => upload("/tmp/a.png"),
    "file muss ein Buffer sein, ist aber der Text '/tmp/a.png'. Um eine Datei nach ihrem Pfad hochzuladen, stellen Sie im Node „Lesen aus“ auf „einer lokalen Datei“",
  ],
  [
    "a list in place of a file",
    () => upload([]),
    "file muss ein Buffer sein, ist aber eine Liste. Um eine Datei nach ihrem Pfad hochzuladen, stellen Sie im Node „Lesen aus“ auf „einer lokalen Datei“",
  ],
  [
    "a raw payload",
    () => readRawPayload(7, []),
    "rcsPayload muss ein Objekt mit RCSMessage und messageContact sein",
  ],
  [
    "a layout",
    () => buildRcsMessage({ "richcardMessage.message.generalPurposeCard.layout": "UP" }),
    "richcardMessage.message.generalPurposeCard.layout muss 'VERTICAL' oder 'LEFT' oder 'RIGHT' sein, ist aber 'UP'",
  ],
  [
    "a number in JSON",
    () => jsonValue({ a: [Number.NaN] }, "data"),
    "data.a[0] muss eine Zahl sein, ist aber NaN",
  ],
];

describe("problems of fields and channels", () => {
  beforeEach(() => setLanguage(() => "de"));
  afterEach(() => setLanguage(() => "en-US"));

  for (const [what, check, message] of CASES) {
    it(`are German in a German Node-RED: ${what}`, async () => {
      await assert.rejects(async () => check(), { message });
    });
  }

  it("are German where a part of a field is named", () => {
    const origin = { kind: "variable", name: "NAME" } as const;
    assert.equal(
      entryProblem("placeholders", 1, noValue(origin)),
      "Nummer 2 ist auf die Umgebungsvariable NAME gesetzt, die keinen Wert hat",
    );
  });

  it("are German in a warning", () => {
    assert.deepEqual(WHATSAPP_CHANNEL.warn?.({ templateLocale: "deutsch" }), [
      "Die Sprache 'deutsch' der Vorlage ist nicht wie 'de' oder 'en_US' geschrieben. Sie wird unverändert gesendet; der Dienst kennt sie vielleicht nicht.",
    ]);
  });
});
