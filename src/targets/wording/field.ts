/** One text that a server says, with the place it stands in. */
export interface Field {
  /** `tool add`, `prompt review`, `resource notes`, `instructions`. */
  readonly item: string;
  /** `inputSchema.properties.note.description` */
  readonly path: string;
  /** A name is made of words too, joined by signs. */
  readonly isName: boolean;
  readonly text: string;
}

export const longestText = 65_536;
