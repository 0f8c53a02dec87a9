import { describe, expect, it } from 'vitest';
import { meaningOfFormat, readMeanings, wordsOf } from './meaning.ts';

const meanings = readMeanings();

describe('the meaning of an argument', () => {
  it.each([
    ['path', '', 'file'],
    ['paths', '', 'file'],
    ['filePath', '', 'file'],
    ['jarFilePath', '', 'file'],
    ['file_name', '', 'file'],
    ['directory', '', 'folder'],
    ['workingDirectory', '', 'folder'],
    ['projectRoot', '', 'folder'],
    ['outputPath', '', 'output'],
    ['destination', '', 'output'],
    ['url', '', 'url'],
    ['imageUrl', '', 'url'],
    ['webhook_url', '', 'url'],
    ['URLs', '', 'url'],
    ['host', '', 'host'],
    ['sql', '', 'sql'],
    ['query', '', 'query'],
    ['command', '', 'command'],
    ['cmd', '', 'command'],
    ['code', '', 'code'],
    ['branchName', '', 'branch'],
    ['repo_path', '', 'repository'],
    ['repository', '', 'repository'],
    ['fileKey', '', 'identifier'],
    ['className', '', 'identifier'],
    ['issueId', '', 'identifier'],
    ['email', '', 'email'],
    ['startDate', '', 'date'],
    ['language', '', 'language'],
    ['regex', '', 'regex'],
    ['excludePatterns', '', 'pattern'],
    ['json', '', 'json'],
    ['apiKey', '', 'token'],
    ['expression', '', 'expression'],
    ['timezone', '', 'timezone'],
    ['x', 'Path to the file', 'file'],
    ['x', 'The URL to fetch', 'url'],
    ['x', 'SQL query to run', 'sql'],
    ['x', 'Shell command to run', 'command'],
    ['x', '', 'unknown'],
    ['', '', 'unknown'],
  ])('%s (%s) is %s', (name, description, meaning) => {
    expect(meanings.of(name, description)).toBe(meaning);
  });

  it.each([
    ['path', 'list_directory', '', 'folder'],
    ['path', 'search_files', '', 'folder'],
    ['path', 'directory_tree', '', 'folder'],
    ['path', 'git_status', '', 'repository'],
    ['path', 'read_file', 'List of lines to read', 'file'],
    ['path', 'read_file', '', 'file'],
    ['path', 'edit_file', 'Path of the file to edit', 'file'],
    ['path', 'scan', 'Folder to look at', 'folder'],
    ['filePath', 'list_directory', '', 'file'],
  ])('%s of %s (%s) is %s, because the tool says more', (name, tool, description, meaning) => {
    expect(meanings.of(name, description, tool)).toBe(meaning);
  });

  it('splits names into words however they are written', () => {
    expect(['fileURLToRead', 'file_url', 'FILE-URL', ' File Url '].map(wordsOf)).toEqual([
      'file-url-to-read',
      'file-url',
      'file-url',
      'file-url',
    ]);
  });

  it('knows formats, and a value for every meaning that it names', () => {
    expect(meaningOfFormat('uri')).toBe('url');
    expect(meaningOfFormat(7)).toBeUndefined();
    expect(meanings.valuesOf('file').length).toBeGreaterThan(0);
    expect(meanings.valuesOf('no such meaning')).toEqual([]);
  });
});
