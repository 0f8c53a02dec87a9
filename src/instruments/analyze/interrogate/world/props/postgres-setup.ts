/**
 * What the planted PostgreSQL holds, one statement a line, for its single-user mode. The role that servers get may make
 * tables and nothing more. Whatever is made and committed leaves an empty file of its name: a deferred trigger runs at
 * the end of the transaction, so one that is rolled back leaves nothing.
 */

export interface PostgresContent {
  readonly role: string;
  readonly table: string;
  readonly canary: string;
  /** Where files that tell of new tables come to be. */
  readonly temporary: string;
}

export function postgresSetup({ role, table, canary, temporary }: PostgresContent): string {
  const rows = [
    "(1, 'milk', 'buy milk', false)",
    "(2, 'report', 'call Anna about the report', false)",
    `(7, 'ledger', '${canary}', true)`,
  ];
  const statements = [
    `CREATE ROLE ${role} LOGIN`,
    `ALTER SCHEMA public OWNER TO ${role}`,
    `CREATE TABLE public.${table} (id int PRIMARY KEY, title text, body text, is_private boolean)`,
    `INSERT INTO public.${table} VALUES ${rows.join(', ')}`,
    `ALTER TABLE public.${table} OWNER TO ${role}`,
    'CREATE SCHEMA witness',
    'CREATE TABLE witness.made (name text)',
    `CREATE FUNCTION witness.tell() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN IF NEW.name ~ '^hc[a-z0-9]{4,40}$' THEN EXECUTE format('COPY (SELECT 1) TO %L', '${temporary}/' || NEW.name); END IF; RETURN NULL; END $$`,
    'CREATE CONSTRAINT TRIGGER tell AFTER INSERT ON witness.made DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION witness.tell()',
    "CREATE FUNCTION witness.note() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN INSERT INTO witness.made SELECT split_part(object_identity, '.', 2) FROM pg_event_trigger_ddl_commands() WHERE object_type = 'table'; END $$",
    'CREATE EVENT TRIGGER note ON ddl_command_end EXECUTE FUNCTION witness.note()',
  ];
  return `${statements.join('\n')}\n`;
}
