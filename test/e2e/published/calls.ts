import { join } from 'node:path';
import type { Call } from './client.ts';

/** Every tool of three published servers, with something that a person might ask of it. */

export const everythingCalls: readonly Call[] = [
  ['toggle-simulated-logging', {}, /Started simulated/],
  ['toggle-subscriber-updates', {}, /Started simulated/],
  ['echo', { message: 'ünï \u{1F600}' }, /Echo: ünï \u{1F600}/u],
  ['get-annotated-message', { messageType: 'error', includeImage: true }, /image\/png/],
  ['get-env', {}, /TMPDIR/],
  ['get-resource-links', { count: 2 }, /resource_link/],
  ['get-resource-reference', { resourceType: 'Text', resourceId: 3 }, /plaintext resource/],
  ['get-resource-reference', { resourceType: 'Blob', resourceId: 2 }, /"blob":/],
  ['get-structured-content', { location: 'Chicago' }, /humidity/],
  ['get-sum', { a: 2, b: 3 }, /is 5/],
  ['get-tiny-image', {}, /image\/png/],
  [
    'gzip-file-as-resource',
    { name: 'a.gz', data: 'data:text/plain;base64,aGVsbG8=', outputType: 'resourceLink' },
    /session\/a\.gz/,
  ],
  ['get-roots-list', {}, /file:\/\/\/srv\/root/],
  ['trigger-sampling-request', { prompt: 'say a word', maxTokens: 10 }, /a sampled word/],
  ['trigger-elicitation-request', {}, /Ada/],
  ['trigger-url-elicitation', { url: 'https://example.com/a', message: 'go there' }, /completed the URL/],
  ['trigger-long-running-operation', { duration: 1, steps: 4 }, /completed/],
];

export const filesystemCalls = (folder: string): readonly Call[] => {
  const at = (name: string): string => join(folder, name);
  return [
    ['list_allowed_directories', {}, /Allowed directories/],
    ['read_file', { path: at('a.txt') }, /one\\ntwo/],
    ['read_text_file', { path: at('a.txt'), head: 1 }, /"one"/],
    ['read_media_file', { path: at('dot.png') }, /image\/png/],
    ['read_multiple_files', { paths: [at('a.txt'), at('sub/b.md')] }, /b ünï/],
    ['write_file', { path: at('new.txt'), content: 'fresh ✓\n' }, /Successfully wrote/],
    ['edit_file', { path: at('new.txt'), edits: [{ oldText: 'fresh', newText: 'stale' }] }, /\+stale ✓/],
    ['create_directory', { path: at('made') }, /Successfully created/],
    ['list_directory', { path: folder }, /\[DIR\] made/],
    ['list_directory_with_sizes', { path: folder, sortBy: 'size' }, /Combined size/],
    ['directory_tree', { path: folder }, /made/],
    ['move_file', { source: at('new.txt'), destination: at('made/moved.txt') }, /Successfully moved/],
    ['search_files', { path: folder, pattern: '**/*.txt' }, /moved\.txt/],
    ['get_file_info', { path: at('made/moved.txt') }, /size: 10/],
  ];
};

/** What the release with CVE-2025-53110 has of them. */
export const oldFilesystemCalls = (folder: string): readonly Call[] => {
  const known = new Set(['read_text_file', 'read_media_file', 'list_directory_with_sizes']);
  return filesystemCalls(folder).flatMap((call): readonly Call[] => {
    if (call[0] === 'search_files') return [['search_files', { path: folder, pattern: 'moved' }, /moved\.txt/]];
    return known.has(call[0]) ? [] : [call];
  });
};

const page = `<title>Sample</title><h1>Hello box</h1><input id=t aria-label=Name><input type=checkbox id=c>
<select id=s><option>one<option>two</select><button id=b onclick="o.textContent='clicked';console.log('a log line')">b</button>
<button id=al onclick="alert('hi there')">Alert</button><input type=file id=f><div id=src draggable=true>drag me</div>
<div id=dst role=button ondragover="event.preventDefault()" ondrop="event.preventDefault();
o.textContent='dropped '+event.dataTransfer.getData('text/plain')">drop here</div><p id=o>nothing</p>`;
/** There is no network in the box: the browser answers itself. */
const route = `async (page) => { await page.context().route('http://sample.test/**', (route) =>
route.fulfill({ contentType: 'text/html', body: ${JSON.stringify(page)} })); return 'routed'; }`;
const stateOfPage = '() => [t.value, c.checked, s.value, o.textContent].join()';

export const playwrightCalls = (upload: string): readonly Call[] => [
  ['browser_run_code_unsafe', { code: route }, /routed/],
  ['browser_navigate', { url: 'http://sample.test/' }, /Sample/],
  ['browser_snapshot', {}, /Hello box/],
  ['browser_resize', { width: 900, height: 700 }, /./],
  ['browser_type', { target: '#t', text: 'Ada' }, /./],
  ['browser_fill_form', { fields: [{ target: '#c', name: 'c', type: 'checkbox', value: 'true' }] }, /./],
  ['browser_select_option', { target: '#s', values: ['two'] }, /./],
  ['browser_click', { target: '#b' }, /./],
  ['browser_evaluate', { function: stateOfPage }, /Ada,true,two,clicked/],
  ['browser_find', { text: 'clicked' }, /clicked/],
  ['browser_console_messages', { level: 'info' }, /a log line/],
  ['browser_hover', { target: '#b' }, /./],
  ['browser_press_key', { key: 'Tab' }, /./],
  ['browser_click', { target: '#al' }, /hi there/],
  ['browser_handle_dialog', { accept: true }, /./],
  ['browser_click', { target: '#f' }, /File chooser/],
  ['browser_file_upload', { paths: [upload] }, /./],
  ['browser_evaluate', { function: '() => f.files[0].text()' }, /upload me/],
  ['browser_drag', { startTarget: '#src', endTarget: '#dst' }, /./],
  ['browser_drop', { target: '#dst', data: { 'text/plain': 'words' } }, /./],
  ['browser_evaluate', { function: stateOfPage }, /dropped words/],
  ['browser_network_requests', { static: true }, /sample\.test/],
  ['browser_network_request', { index: 1 }, /sample\.test/],
  ['browser_emulate_media', { colorScheme: 'dark' }, /./],
  ['browser_take_screenshot', { scale: 'css' }, /image\/png|\.png/],
  ['browser_wait_for', { text: 'Hello box' }, /./],
  ['browser_navigate', { url: 'data:text/html,<title>Second</title>' }, /Second/],
  ['browser_navigate_back', {}, /Sample/],
  ['browser_tabs', { action: 'list' }, /Sample/],
  ['browser_close', {}, /./],
];
