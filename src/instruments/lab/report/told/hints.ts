/** How the facts of an analyser are best told. What is not named here is told in the order in which it comes. */

export interface FactHint {
  readonly title: string;
  /** These first, in this order. */
  readonly first?: readonly string[];
  /** In the JSON only. */
  readonly hidden?: readonly string[];
  /** Where a no is as telling as a yes. */
  readonly telling?: readonly string[];
}

const native = ['image_base', 'size_of_image', 'size_of_headers', 'section_alignment', 'file_alignment', 'bits'];

export const factHints: Readonly<Record<string, FactHint>> = {
  pe: {
    title: 'Windows program',
    first: [
      'version_info',
      'is_signed',
      'signature',
      'packer',
      'packer_hints',
      'installers',
      'anomalies',
      'timestamp',
      'pdb_path',
      'entry_point',
      'mitigations',
      'imphash',
      'sections',
      'imports',
      'delay_imports',
      'exports',
      'resources',
      'overlay',
      'manifest',
    ],
    hidden: [
      ...native,
      'format',
      'machine',
      'subsystem',
      'directories',
      'fixed_file_info',
      'dll_characteristics',
      'characteristics',
      'os_version',
      'subsystem_version',
      'section_count',
      'import_count',
      'delay_import_count',
      'export_count',
      'relocation_count',
      'forwarded_export_count',
      'resource_count',
      'resource_bytes',
      'debug',
      'rich_header',
    ],
    telling: ['is_signed'],
  },
  dotnet: {
    title: '.NET program',
    first: ['assembly', 'entry_point', 'obfuscators', 'platform_calls', 'managed_resources', 'type_references'],
    hidden: ['streams', 'module', 'platform_call_count', 'managed_resource_count'],
  },
  elf: {
    title: 'Linux program',
    first: ['interpreter', 'libraries', 'is_static', 'is_stripped', 'packer', 'anomalies', 'hardening', 'build_id'],
    hidden: ['bits', 'format', 'byte_order', 'abi_version', 'machine_flags', 'segment_count', 'section_count', 'notes'],
    telling: ['is_static', 'is_stripped'],
  },
  macho: { title: 'macOS program' },
  office: {
    title: 'Office document',
    first: [
      'document_type',
      'encrypted',
      'encryption_method',
      'decrypted',
      'decrypted_with',
      'has_vba_macros',
      'has_xlm_macros',
      'vba_auto_procedures',
      'vba_words',
      'vba_decoded_strings',
      'vba_modules',
      'xlm_cells',
      'xlm_decoded_strings',
      'sheets',
      'properties',
    ],
    hidden: ['compound', 'parts', 'has_vba_project', 'vba_code_page'],
    telling: ['encrypted', 'decrypted', 'has_vba_macros', 'has_xlm_macros'],
  },
  pdf: {
    title: 'PDF',
    first: ['version', 'pages', 'names', 'actions', 'attachments', 'info'],
    hidden: ['keywords', 'start_xrefs', 'header_offset', 'ends', 'page_objects'],
  },
  rtf: { title: 'RTF', first: ['objects', 'embedded_packages', 'properties'], hidden: ['object_count'] },
  lnk: {
    title: 'Shortcut',
    first: ['target', 'strings', 'show', 'layers', 'times', 'link_info', 'extra', 'id_list'],
    hidden: ['flags', 'attributes', 'icon_index'],
  },
  mail: {
    title: 'Mail',
    first: [
      'subject',
      'from',
      'to',
      'reply_to',
      'return_path',
      'date',
      'message_id',
      'authentication',
      'candidate_passwords',
      'received',
      'attachments',
      'links',
      'forms',
      'remote_images',
    ],
    hidden: ['format'],
  },
  script: { title: 'Script', first: ['language', 'encoding', 'layers', 'payloads'], hidden: ['characters'] },
  pcap: {
    title: 'Packet capture',
    first: ['first', 'last', 'duration', 'packets', 'protocols', 'dns', 'http', 'tls', 'beacons', 'conversations'],
    hidden: ['link_types', 'format', 'conversation_count'],
  },
  archive: {
    title: 'Archive',
    first: ['format', 'entry_count', 'is_encrypted', 'password_used', 'entries'],
    telling: ['is_encrypted'],
  },
  identity: { title: 'Hashes and bytes', hidden: ['md5', 'sha1', 'sha256', 'size', 'entropy_blocks'] },
  claims: { title: 'Name and content', hidden: ['kind', 'title', 'mime'] },
  strings: { title: 'Strings', first: ['total', 'by_kind', 'interesting'], hidden: ['first', 'least_characters'] },
  encodings: { title: 'Encoded parts', hidden: ['total'] },
  hidden: { title: 'Parts behind a cipher', hidden: ['total'] },
  embedded: { title: 'Files inside', hidden: ['total'] },
  yara: { title: 'YARA', hidden: ['rule_files', 'total'] },
};

/** They look at every file, whatever it is: what they tell stands behind what the kind has to say. */
export const generalAnalysers: ReadonlySet<string> = new Set([
  'identity',
  'claims',
  'strings',
  'encodings',
  'hidden',
  'embedded',
  'yara',
  'yara-folders',
]);
