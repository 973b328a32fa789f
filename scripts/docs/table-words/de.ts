import { LIMITS } from "../../../lib/shared/fields/limits";
import type { TableWords } from "./table-words";

const number = (value: number): string => value.toLocaleString("de");

const MSISDN = `${LIMITS.msisdnDigitsMin} bis ${LIMITS.msisdnDigitsMax} Ziffern, die erste nicht 0`;

export const GERMAN: TableWords = {
  language: "de",
  yes: "ja",
  no: "nein",

  outcomeHead: [
    "Ergebnis",
    "Ausgang von 4",
    "Ausgang von 6",
    "Ohne Verbindung als Fehler gemeldet",
    "Ist es sicher, noch einmal zu senden?",
  ],
  resend: {
    no: "nein",
    "after-change": "nach einer Änderung",
    yes: "ja",
    "check-first": "erst nach dem Prüfen",
  },
  meaningHead: ["Bedeutung", "Ergebnis", "Was zu tun ist"],
  code: "Code",
  name: "Name",
  httpStatus: "HTTP-Status",
  anyOther4xxx: "jeder andere 4xxx",
  anyOther: "jeder andere",
  movedFile: "2xx mit der Datei eines Downloads, oder der `mediaId` eines Uploads",
  bare503: "503, mit der Einstellung des Kontos",
  withTransferId: "Nur zusammen mit einer transferId; ohne sie gilt der Code als nicht aufgeführt.",

  metricHead: ["Messwert", "Label", "Bedeutung"],

  operationHead: [
    "Operation",
    "Anfrage",
    "Pfad ist",
    "Stil",
    "Authentifizierung",
    "Scope",
    "Body",
    "Antwort",
  ],
  pathAssumed: "Annahme",
  pathKnown: "bekannt",
  pathPerhapsBelowRest: "bekannt; vielleicht unter `/rest`",
  style: { legacy: "Legacy", oauth: "OAuth" },
  auth: {
    legacy: "Basic oder Access-Token",
    bearer: "Bearer-Token",
    client: "Client-ID und Client-Secret (Basic)",
  },
  request: {
    "form-latin1": "Formular, ISO-8859-1",
    "query-latin1": "Query, ISO-8859-1",
    json: "JSON",
    multipart: "Multipart",
    form: "Formular",
    none: "keiner",
  },
  answer: {
    "legacy-form": "Formular, oder JSON",
    json: "JSON",
    upload: "JSON mit `mediaId`",
    bytes: "die Datei",
    token: "JSON mit dem Token",
  },

  fieldHead: ["Feld", "Typ", "Erforderlich", "Regeln"],
  fields: {
    recipientAddressList: [
      "Liste von MSISDNs",
      `1 bis ${number(LIMITS.recipientsPerRequest)} Nummern: ${MSISDN}, kein Plus`,
    ],
    recipient: ["MSISDN in der Form E.164", `eine Nummer mit Plus: ${MSISDN}`],
    applicationId: ["UUID", "die Anwendung, die sendet"],
    clientMessageId: [
      "Text",
      "eine ID, die der Client wählt; die Antwort und spätere Ereignisse wiederholen sie",
    ],
    "sms-form.messageContent": [
      "Text",
      "mindestens 1 Zeichen; ISO-8859-1 in Formular und Query, UTF-8 in JSON",
    ],
    "whatsapp-broadcast.messageContent": ["Text, UTF-8", `1 bis ${number(LIMITS.broadcastContent)} Zeichen`],
    contentCategory: [
      "Text",
      "`informational` oder `advertisement`: entscheidet, welche Sperrliste gilt; fehlt sie, der Standard des Kontos",
    ],
    maxSmsPerMessage: [
      "ganze Zahl",
      "ab 0: wie viele SMS der Text höchstens brauchen darf, sonst Code 4026; 0, der Standard des Dienstes, setzt kein Limit",
    ],
    messageType: [
      "Text",
      "`default`: Die Einstellungen des Kontos entscheiden; `voice`: Der Text wird in einem Anruf vorgelesen",
    ],
    notificationCallbackUrl: ["URL", "bekommt jeden Zustellbericht der Nachricht"],
    priority: ["ganze Zahl", "ab 0; die höchste erlaubte ist eine Einstellung beim Dienst (Code 4015)"],
    sendAsFlashSms: ["Boolean", "`true`: Der Text öffnet sich sofort auf dem Bildschirm; Standard `false`"],
    senderAddress: ["Text", "ein Absender, der zum Konto gehört"],
    senderAddressType: ["Text", "`national`, `international`, `alphanumeric` oder `shortcode`"],
    test: [
      "Boolean",
      "`true`: Der Dienst prüft, sendet nichts, und antwortet 2000 oder 2001 nach der Zahl der Empfänger; Standard `false`",
    ],
    validityPeriode: [
      "ganze Zahl, Sekunden",
      `${number(LIMITS.validityPeriodeMin)} bis ${number(LIMITS.validityPeriodeMax)}: wie lange die Zustellung versucht wird`,
    ],
    attachmentId: ["ganze Zahl", "ab 0; der Upload des Anhangs liefert sie"],
    "whatsapp-text.content": ["Text, UTF-8", `1 bis ${number(LIMITS.textContent)} Zeichen`],
    "whatsapp-media.content": [
      "Text, UTF-8",
      `die Beschreibung der Datei, bis ${number(LIMITS.mediaDescription)} Zeichen`,
    ],
    mediaId: ["UUID", "eine Datei beim Dienst: die ID eines Uploads oder einer eingehenden Nachricht"],
    templateName: ["Text, UTF-8", "die genehmigte Vorlage; mindestens 1 Zeichen"],
    templateLocale: [
      "Text, UTF-8",
      "ihre Sprache, üblicherweise `de` oder `en_US` geschrieben; jeder Text wird weitergegeben",
    ],
    localizableParams: [
      "Liste von Objekten",
      `ein \`{"default": "value"}\` für jeden Platzhalter, in ihrer Reihenfolge, ohne anderen Schlüssel. Ein Wert hat 1 bis ` +
        `${number(LIMITS.placeholderValue)} Zeichen und keinen Zeilenumbruch; alle Werte zusammen haben höchstens ` +
        `${number(LIMITS.templateContent)} Zeichen`,
    ],
    rcsPayload: ["Objekt", "`RCSMessage` und `messageContact`: [RCS-Nachrichten](#rcs-nachrichten)"],
    file: ["Teil eines Multipart-Bodys", "die Bytes, mit einem Dateinamen und einem Medientyp"],
    grant_type: ["Text", "`client_credentials`"],
    scope: ["Text", "die verlangten Scopes, mit Leerzeichen dazwischen; dieses Paket verlangt jeweils einen"],
  },

  limitHead: ["Was", "Limit"],
  limits: {
    recipientsPerRequest: ["Empfänger einer SMS- oder Rundsendungs-Anfrage; mehr ist Code 4025", "Nummern"],
    broadcastContent: ["Text einer WhatsApp-Rundsendung", "Zeichen"],
    textContent: ["WhatsApp-Text", "Zeichen"],
    mediaDescription: ["Beschreibung einer WhatsApp-Mediendatei", "Zeichen"],
    templateContent: ["WhatsApp-Vorlage mit ihren Werten ausgefüllt; mehr ist Code 4401", "Zeichen"],
    placeholderValue: ["Ein Wert einer Vorlage; mehr ist Code 4401", "Zeichen"],
    validityPeriodeMin: ["Kürzeste `validityPeriode`", "Sekunden"],
    validityPeriodeMax: ["Längste `validityPeriode`", "Sekunden (3 Tage)"],
    msisdnDigitsMin: ["Kürzeste Nummer, einschließlich Landesvorwahl", "Ziffern"],
    msisdnDigitsMax: ["Längste Nummer, einschließlich Landesvorwahl", "Ziffern"],
  },
  rcsLimits: {
    text: ["`textMessage`", "Zeichen"],
    label: ["`label` einer Position", "Zeichen"],
    title: ["`title` einer Karte", "Zeichen"],
    description: ["`description` einer Karte", "Zeichen"],
    contentDescription: ["`contentDescription` der Medien einer Karte", "Zeichen"],
    displayText: ["`displayText` eines Vorschlags", "Zeichen"],
    postbackData: ["`data` eines `postback`", "Zeichen"],
    chips: ["Vorschläge unter einer Nachricht", "Einträge"],
    cardSuggestions: ["Vorschläge einer Karte", "Einträge"],
    cardsMin: ["Wenigste Karten eines Karussells", "Einträge"],
    cardsMax: ["Meiste Karten eines Karussells", "Einträge"],
  },

  lists: {
    general: "Allgemein",
    sms: "SMS",
    whatsapp: "Rundsendung",
    text: "Text",
    media: "Medien",
    template: "Vorlage",
  },

  segmentHead: ["Alphabet", "Eine einzelne SMS", "Jede SMS eines längeren Textes"],
  alphabets: {
    gsm: ["Standardalphabet von GSM 03.38", "Septette"],
    ucs2: ["UCS-2", "UTF-16-Einheiten"],
  },

  rcsWordHead: ["Feld", "Werte"],
  heightOfMedia: "`height` von Medien",
  typeOfRecording: "`type` einer Aufnahme",
};
