import { provideLatePart } from "../dialog/late-part";
import { ReportPanel } from "./report-panel";

provideLatePart("report", ReportPanel);
