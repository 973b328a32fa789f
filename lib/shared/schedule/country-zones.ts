/**
 * Countries with one time zone, from zone.tab of the IANA database (2025b).
 * Includes countries whose zones agree, without parts such as Xinjiang and Crimea.
 */
const ZONES: Readonly<Record<string, string>> = {
  Africa:
    "AO Luanda BF Ouagadougou BI Bujumbura BJ Porto-Novo BW Gaborone CF Bangui CG Brazzaville CI Abidjan " +
    "CM Douala DJ Djibouti DZ Algiers EG Cairo EH El_Aaiun ER Asmara ET Addis_Ababa GA Libreville GH Accra " +
    "GM Banjul GN Conakry GQ Malabo GW Bissau KE Nairobi LR Monrovia LS Maseru LY Tripoli MA Casablanca " +
    "ML Bamako MR Nouakchott MW Blantyre MZ Maputo NA Windhoek NE Niamey NG Lagos RW Kigali SD Khartoum " +
    "SL Freetown SN Dakar SO Mogadishu SS Juba ST Sao_Tome SZ Mbabane TD Ndjamena TG Lome TN Tunis " +
    "TZ Dar_es_Salaam UG Kampala ZA Johannesburg ZM Lusaka ZW Harare",
  America:
    "AG Antigua AI Anguilla AR Argentina/Buenos_Aires AW Aruba BB Barbados BL St_Barthelemy BO La_Paz " +
    "BQ Kralendijk BS Nassau BZ Belize CO Bogota CR Costa_Rica CU Havana CW Curacao DM Dominica " +
    "DO Santo_Domingo GD Grenada GF Cayenne GP Guadeloupe GT Guatemala GY Guyana HN Tegucigalpa " +
    "HT Port-au-Prince JM Jamaica KN St_Kitts KY Cayman LC St_Lucia MF Marigot MQ Martinique MS Montserrat " +
    "NI Managua PA Panama PE Lima PM Miquelon PR Puerto_Rico PY Asuncion SR Paramaribo SV El_Salvador " +
    "SX Lower_Princes TC Grand_Turk TT Port_of_Spain UY Montevideo VC St_Vincent VE Caracas VG Tortola " +
    "VI St_Thomas",
  Arctic: "SJ Longyearbyen",
  Asia:
    "AE Dubai AF Kabul AM Yerevan AZ Baku BD Dhaka BH Bahrain BN Brunei BT Thimphu CN Shanghai CY Nicosia " +
    "GE Tbilisi HK Hong_Kong IL Jerusalem IN Kolkata IQ Baghdad IR Tehran JO Amman JP Tokyo KG Bishkek " +
    "KH Phnom_Penh KP Pyongyang KR Seoul KW Kuwait KZ Almaty LA Vientiane LB Beirut LK Colombo MM Yangon " +
    "MO Macau MY Kuala_Lumpur NP Kathmandu OM Muscat PH Manila PK Karachi PS Hebron QA Qatar SA Riyadh " +
    "SG Singapore SY Damascus TH Bangkok TJ Dushanbe TL Dili TM Ashgabat TW Taipei UZ Tashkent " +
    "VN Ho_Chi_Minh YE Aden",
  Atlantic:
    "AC St_Helena BM Bermuda CV Cape_Verde FK Stanley FO Faroe IS Reykjavik SH St_Helena TA St_Helena",
  Europe:
    "AD Andorra AL Tirane AT Vienna AX Mariehamn BA Sarajevo BE Brussels BG Sofia BY Minsk CH Zurich " +
    "CZ Prague DE Berlin DK Copenhagen EE Tallinn FI Helsinki FR Paris GB London GG Guernsey GI Gibraltar " +
    "GR Athens HR Zagreb HU Budapest IE Dublin IM Isle_of_Man IT Rome JE Jersey LI Vaduz LT Vilnius " +
    "LU Luxembourg LV Riga MC Monaco MD Chisinau ME Podgorica MK Skopje MT Malta NL Amsterdam NO Oslo " +
    "PL Warsaw RO Bucharest RS Belgrade SE Stockholm SI Ljubljana SK Bratislava SM San_Marino TR Istanbul " +
    "UA Kyiv VA Vatican XK Belgrade",
  Indian:
    "CC Cocos CX Christmas IO Chagos KM Comoro MG Antananarivo MU Mauritius MV Maldives RE Reunion SC Mahe " +
    "YT Mayotte",
  Pacific:
    "AS Pago_Pago CK Rarotonga FJ Fiji GU Guam MH Majuro MP Saipan NC Noumea NF Norfolk NR Nauru NU Niue " +
    "PW Palau SB Guadalcanal TK Fakaofo TO Tongatapu TV Funafuti VU Efate WF Wallis WS Apia",
};

const zones = new Map(
  Object.entries(ZONES).flatMap(([region, list]) => {
    const words = list.split(" ");
    return words.flatMap((country, at) =>
      at % 2 === 0 ? [[country, `${region}/${words[at + 1]}`] as const] : [],
    );
  }),
);

export const COUNTRY_ZONES: ReadonlyMap<string, string> = zones;
