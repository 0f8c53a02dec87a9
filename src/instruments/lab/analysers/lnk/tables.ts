/** The words of the shell link format. */

export const linkFlags = [
  'has_target_id_list',
  'has_link_info',
  'has_name',
  'has_relative_path',
  'has_working_directory',
  'has_arguments',
  'has_icon_location',
  'is_unicode',
  'force_no_link_info',
  'has_environment_target',
  'run_in_separate_process',
  'unused_1',
  'has_darwin_id',
  'run_as_user',
  'has_icon_environment',
  'no_pidl_alias',
  'unused_2',
  'run_with_shim_layer',
  'force_no_link_track',
  'enable_target_metadata',
  'disable_link_path_tracking',
  'disable_known_folder_tracking',
  'disable_known_folder_alias',
  'allow_link_to_link',
  'unalias_on_save',
  'prefer_environment_path',
  'keep_local_id_list',
] as const;

export const fileAttributes = [
  'readonly',
  'hidden',
  'system',
  'volume_label',
  'directory',
  'archive',
  'device',
  'normal',
  'temporary',
  'sparse',
  'reparse_point',
  'compressed',
  'offline',
  'not_indexed',
  'encrypted',
] as const;

export const showCommands: Readonly<Record<number, string>> = { 1: 'normal', 3: 'maximised', 7: 'minimised' };

export const driveTypes = ['unknown', 'no root', 'removable', 'fixed', 'remote', 'cdrom', 'ramdisk'] as const;

export const extraBlocks: Readonly<Record<number, string>> = {
  2684354561: 'environment',
  2684354562: 'console',
  2684354563: 'tracker',
  2684354564: 'console_codepage',
  2684354565: 'special_folder',
  2684354566: 'darwin',
  2684354567: 'icon_environment',
  2684354568: 'shim',
  2684354569: 'property_store',
  2684354571: 'known_folder',
  2684354572: 'id_list',
};

/** Class ids and folder ids that shortcuts name often. */
export const classes: Readonly<Record<string, string>> = {
  '20d04fe0-3aea-1069-a2d8-08002b30309d': 'My Computer',
  '450d8fba-ad25-11d0-98a8-0800361b1103': 'My Documents',
  '208d2c60-3aea-1069-a2d7-08002b30309d': 'My Network Places',
  'f02c1a0d-be21-4350-88b0-7367fc96ef3c': 'Network',
  '645ff040-5081-101b-9f08-00aa002f954e': 'Recycle Bin',
  '871c5380-42a0-1069-a2ea-08002b30309d': 'Internet Explorer',
  '21ec2020-3aea-1069-a2dd-08002b30309d': 'Control Panel',
  '26ee0668-a00a-44d7-9371-beb064c98683': 'Control Panel',
  '5e6c858f-0e22-4760-9afe-ea3317b67173': 'User profile',
  '59031a47-3f72-44a7-89c5-5595fe6b30ee': 'User files',
  'b4bfcc3a-db2c-424c-b029-7fe99a87c641': 'Desktop',
  '374de290-123f-4565-9164-39c4925e467b': 'Downloads',
  'f42ee2d3-909f-4907-8871-4c22fc0bf756': 'Documents',
  '1ac14e77-02e7-4e5d-b744-2eb1ae5198b7': 'System32',
  'd65231b0-b2f1-4857-a4ce-a8e7c6ea7d27': 'SysWOW64',
  'f38bf404-1d43-42f2-9305-67de0b28fc23': 'Windows',
  '905e63b6-c1bf-494e-b29c-65b732d3d21a': 'Program Files',
  '031e4825-7b94-4dc3-b131-e946b44c8dd5': 'Libraries',
};
