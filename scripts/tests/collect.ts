import type { Reporter, SerializedError, TestModule, TestSuite } from 'vitest/node';
import type { Summary } from './summary.ts';

/** A test that never finished, a file that did not load and an error outside any test are all failures. */

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function collectSuite(module: TestModule, suite: TestSuite | TestModule, summary: Summary): void {
  const name = suite.type === 'suite' ? `${module.relativeModuleId} > ${suite.fullName}` : module.relativeModuleId;
  for (const error of suite.errors()) summary.failed.push(oneLine(`${name}: ${error.message}`));
  for (const child of suite.children) {
    if (child.type === 'suite') collectSuite(module, child, summary);
    else {
      const test = `${module.relativeModuleId} > ${oneLine(child.fullName)}`;
      const result = child.result();
      if (result.state === 'passed') summary.passed++;
      else if (result.state === 'failed') summary.failed.push(test);
      else if (result.state === 'pending') summary.failed.push(`${test} (did not finish)`);
      else summary.skipped.push({ name: test, reason: oneLine(result.note ?? reasonFor(suite)) });
    }
  }
}

function reasonFor(suite: TestSuite | TestModule): string {
  return suite.errors().length > 0 ? 'its suite failed' : 'no reason given';
}

export function summarise(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Summary {
  const summary: Summary = { passed: 0, failed: [], skipped: [] };
  for (const module of modules) collectSuite(module, module, summary);
  for (const error of unhandled) summary.failed.push(oneLine(`outside any test: ${error.message}`));
  return summary;
}

/** A vitest reporter that says nothing and hands over the summary. */
export function createCollector(finish: (summary: Summary) => void): Reporter {
  return {
    onTestRunEnd(modules, unhandled) {
      finish(summarise(modules, unhandled));
    },
  };
}
