/**
 * What the box offers to the one who makes arguments: things that exist, so that the honest path of a tool is really
 * taken, and things that were planted to be reached only by a tool that can be misled. All paths are those of the box.
 */

/** A place with a token in it that stands nowhere else. Whoever knows the token has been there. */
export interface Planted {
  readonly path: string;
  readonly canary: string;
}

export interface World {
  /** Folder that the server may use. */
  readonly root: string;
  /** Files below the root by kind or extension; those that a tool asks for by extension are optional. */
  readonly files: { readonly text: string; readonly nested: string } & Readonly<Record<string, string>>;
  /** Folder below the root, with files in it. */
  readonly folder: string;
  /** A file that nothing but a trial names, outside of the root; its folder is `outsideFolder`. */
  readonly outsideFile: string;
  readonly outsideCanary: string;
  readonly outsideFolder: string;
  /** Name of an entry of `outsideFolder`: a listing of it shows this token. */
  readonly outsideEntry: string;
  /** In a folder beside the root whose name begins with the root's name. */
  readonly sibling?: Planted;
  /** A symbolic link below the root, and the token of the file outside that it leads to. */
  readonly link?: Planted & { readonly target: string };
  /** Folder that belongs to trials alone: injected commands leave their empty files here. */
  readonly temporary: string;
  /** A page of the fake internet that answers with text. */
  readonly url: string;
  /** Every name below it is answered for by the fake internet. */
  readonly domain: string;
  /** A service inside the box that answers with the token. */
  readonly loopback?: { readonly port: number; readonly canary: string };
  /** A page of the fake internet that redirects to this place inside the box. */
  readonly redirect?: { readonly url: string; readonly port: number };
  /** A name that resolves to the box's own loopback, at once or the second time. */
  readonly rebindingHost?: string;
  /** A page larger than any sensible limit, with the token at its end: once with its length told beforehand, once without. */
  readonly large?: { readonly declared: string; readonly undeclared: string; readonly canary: string };
  /** Path or connection string of a planted database. */
  readonly database?: string;
  /** Stands in a row of the database that no honest argument asks for. */
  readonly databaseCanary?: string;
  /** A table of that database with ordinary rows. */
  readonly table?: string;
  /** A planted git repository below the root. */
  readonly git?: string;
  /** Programs of the box that decide whether a payload means anything, such as `pwsh`. */
  readonly programs?: readonly string[];
  /** Variables that the server was started with. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The world as names for templates. What is not there has no name, and whatever needs it is left out. */
export function worldNames(world: World): Readonly<Record<string, string>> {
  const { files, link, sibling, loopback, redirect, large } = world;
  const optional: Readonly<Record<string, string | undefined>> = {
    sibling: sibling?.path,
    link: link?.path,
    loopback: loopback === undefined ? undefined : `127.0.0.1:${loopback.port}`,
    redirect: redirect?.url,
    rebindingHost: world.rebindingHost,
    largeDeclared: large?.declared,
    largeUndeclared: large?.undeclared,
    database: world.database,
    databaseCanary: world.databaseCanary === undefined ? undefined : 'planted',
    table: world.table,
    git: world.git,
  };
  const names: Record<string, string> = {
    root: world.root,
    file: files.text,
    fileName: files.text.slice(files.text.lastIndexOf('/') + 1),
    nested: files.nested,
    folder: world.folder,
    outsideFile: world.outsideFile,
    outsideFolder: world.outsideFolder,
    temporary: world.temporary,
    url: world.url,
    host: hostOf(world.url),
    domain: world.domain,
  };
  for (const [name, value] of Object.entries(optional)) if (value !== undefined) names[name] = value;
  for (const program of world.programs ?? []) names[`program:${program}`] = program;
  return names;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url;
}
