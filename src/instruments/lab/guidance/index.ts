export { labInstructions } from './instructions.ts';
export {
  type IocType,
  iocTypes,
  type OsintGuidance,
  type OsintService,
  type OsintTopic,
  osintGuidance,
  osintTopics,
} from './osint.ts';
export {
  type ReportGuidance,
  type ReportTemplate,
  type ReportTopic,
  reportGuidance,
  reportTemplate,
  reportTopics,
} from './report.ts';
