import { jobCancel } from '../analyze/job-cancel.ts';
import { jobResult } from '../analyze/job-result.ts';
import { jobStatus } from '../analyze/job-status.ts';
import { readOutput } from '../analyze/read-output.ts';
import type { Toolset } from '../contract.ts';
import { analyzeFile } from './analyze-file.ts';
import { checkBehaviorPrerequisites } from './check-behavior-prerequisites.ts';
import { checkTools } from './check-tools.ts';
import { compareFiles } from './compare-files.ts';
import { downloadFile } from './download-file.ts';
import { downloadFromUrl } from './download-from-url.ts';
import { extractArchive } from './extract-archive.ts';
import { extractIocs } from './extract-iocs.ts';
import { getFileInfo } from './get-file-info.ts';
import { getOsintGuidance } from './get-osint-guidance.ts';
import { getReportGuidance } from './get-report-guidance.ts';
import { getReportTemplate } from './get-report-template.ts';
import { getServerInfo } from './get-server-info.ts';
import { getToolHelp } from './get-tool-help.ts';
import { listFiles } from './list-files.ts';
import { resources } from './resources.ts';
import { runTool } from './run-tool.ts';
import { suggestTools } from './suggest-tools.ts';
import { uploadFromHost } from './upload-from-host.ts';
import { verifyStringUsage } from './verify-string-usage.ts';

export const labToolset: Toolset = {
  id: 'lab',
  title: 'Analyse malware',
  tools: [
    analyzeFile,
    getFileInfo,
    listFiles,
    uploadFromHost,
    downloadFromUrl,
    extractArchive,
    suggestTools,
    runTool,
    getToolHelp,
    checkTools,
    extractIocs,
    checkBehaviorPrerequisites,
    verifyStringUsage,
    compareFiles,
    downloadFile,
    getServerInfo,
    getReportTemplate,
    getReportGuidance,
    getOsintGuidance,
    jobStatus,
    jobResult,
    jobCancel,
    readOutput,
  ],
  prompts: [],
  resources,
};
