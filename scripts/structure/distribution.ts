import type pg from 'pg'

// Which tables stand where past one database machine, and what of the schema Citus would refuse. The catalog of the migrated database is asked, so that
// a new table is either a tenant's or named here, with its reason.

/** Tables without a tenant; all stand on the coordinator alone: each is read and written by its key, and none is joined with rows of businesses. */
export const globalTables: Record<string, string> = {
  account_emails: 'Sign-in begins with an address, before the business is known; unique over all businesses.',
  account_identities: 'Sign-in with a provider begins with its subject, before the business is known.',
  books_realms: 'The accounting provider names a realm; unique over all businesses.',
  coupons: 'Given out by the product owner and counted over all businesses.',
  event_looks: 'When a provider was last asked for what its webhooks did not tell; one row a provider.',
  local_billing_objects: "The local payment provider's own side.",
  local_books: "The local accounting provider's own side.",
  local_checkout_sessions: "The local payment provider's own side.",
  local_dns_records: "The local name server's own side.",
  local_refunds: "The local payment provider's own side.",
  payment_account_lookups: 'The payment provider names an account, the business follows from it.',
  payment_customers:
    'The payment provider names a customer; outlives its business, so that nobody is charged any more.',
  product_owner_two_factor: 'Who sells the product belongs to no business.',
  public_tokens: 'A link names its token, the business follows from it.',
  rate_limits: 'Counted by address or name, mostly before a business is known.',
  schema_migrations: 'What this database was brought to; one for all.',
  sender_claims: 'A domain sends for one business alone; unique over all businesses.',
  slugs: 'The address of a public page, the business follows from it; unique over all businesses.',
  sms_routes: 'A text arrives with a phone number, the business follows from it.',
  support_lookups: 'The product owner asks which businesses let it look.',
  task_pools: 'Heartbeats of the workers, which work for all businesses.',
  tour_demos: 'Which business visitors of the tour are shown.',
  trial_uses: 'One trial an address, over all businesses, also of those that are gone.',
  used_tokens: 'A token that serves once, whoever it was for.',
  webhook_events: 'Providers name their accounts, the business follows from it.',
}

/** What stands on the coordinator as whole schemas, with the reason. */
export const coordinatorSchemas: Record<string, string> = {
  prospects: "The product owner's funnel belongs to no business and is no bigger than one machine.",
  graphile_worker: 'The task queue: tasks of all businesses, taken in one order.',
}

/** One thing that Citus does not take as it is. `solved`: what `npm run distribute` does about it; null: the schema or the code has to change. */
export type Finding = { kind: string; name: string; solved: string | null }

/** What is no trouble although it looks so, with the reason. */
const heldElsewhere: Record<string, string> = {
  'businesses: businesses_slug_key': 'dropped: the primary key of slugs holds the same',
  'delete_closed_business(uuid,integer)': 'nothing else reads or writes in its transaction',
  'move_ledger(uuid,uuid)': 'asked by the release before 0991 alone, which ran on no Citus',
}

type Row = { name: string }

const names = async (client: pg.ClientBase, query: string, values: unknown[] = []): Promise<string[]> =>
  (await client.query<Row>(query, values)).rows.map(({ name }) => name)

const foreignKeys = `
  select k.oid, k.conname, c.relname as own, f.relname as target, k.confdeltype, k.confupdtype,
    array(select a.attname::text from unnest(k.conkey) with ordinality u(n, i) join pg_attribute a on a.attrelid = c.oid and a.attnum = u.n order by u.i) as columns,
    array(select a.attname::text from unnest(k.confkey) with ordinality u(n, i) join pg_attribute a on a.attrelid = f.oid and a.attnum = u.n order by u.i) as targets
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
  where k.contype = 'f' and k.connamespace = 'public'::regnamespace
    -- shards are the tables that Citus itself looks after
    and c.relname = any($1) and f.relname = any($1)`

/** Tables of the public schema that are no shards: `tenant` ones have `business_id` and are not named as global. */
export const tablesOfDatabase = async (client: pg.ClientBase): Promise<{ tenant: string[]; global: string[] }> => {
  const isCitus = (await client.query("select 1 from pg_extension where extname = 'citus'")).rows.length > 0
  const all = await names(
    client,
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       ${isCitus ? "and not relation_is_a_known_shard(c.oid) and c.relname !~ '^citus_'" : ''} order by 1`,
  )
  return {
    tenant: all.filter((name) => !(name in globalTables)),
    global: all.filter((name) => name in globalTables),
  }
}

/** Kind of finding: functions that `npm run distribute` hands to the workers. */
export const delegatedKind = 'a function that runs as the owner for the business that is its first argument'

/** What Citus refuses in the schema, by kind and name; the order is stable. */
export const findingsOf = async (client: pg.ClientBase): Promise<Finding[]> => {
  const { tenant, global } = await tablesOfDatabase(client)
  const found: Finding[] = []
  const add = (kind: string, list: string[], solved: string | null): void => {
    found.push(...list.map((name) => ({ kind, name, solved })))
  }
  add(
    'a table without business_id that is not named as global',
    await names(
      client,
      `select t.name from unnest($1::text[]) as t(name)
       where not exists (select from pg_attribute a where a.attrelid = ('public.' || quote_ident(t.name))::regclass and a.attname = 'business_id' and not a.attisdropped)`,
      [tenant],
    ),
    null,
  )
  add(
    'a unique key of a tenant table without business_id',
    await names(
      client,
      `select t.relname || ': ' || i.relname as name from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
       where t.relnamespace = 'public'::regnamespace and t.relname = any($1) and x.indisunique
         and not exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'business_id' and a.attnum = any(x.indkey)) order by 1`,
      [tenant],
    ),
    null,
  )
  const keys = `with keys as (${foreignKeys})`
  const text = "own || ': ' || conname"
  add(
    'a foreign key between tenant tables that does not pair business_id with business_id',
    await names(
      client,
      `${keys} select ${text} as name from keys where own = any($2) and target = any($2)
         and coalesce(targets[array_position(columns, 'business_id')], '') <> 'business_id' order by 1`,
      [[...tenant, ...global], tenant],
    ),
    null,
  )
  add(
    'a foreign key from a tenant table to a global one',
    await names(
      client,
      `${keys} select ${text} as name from keys where own = any($2) and target <> all($2) order by 1`,
      [[...tenant, ...global], tenant],
    ),
    null,
  )
  add(
    'a foreign key from a global table to a tenant one',
    await names(
      client,
      `${keys} select ${text} as name from keys where own <> all($2) and target = any($2) order by 1`,
      [[...tenant, ...global], tenant],
    ),
    'dropped: delete_closed_business clears these tables itself',
  )
  add(
    'a foreign key that sets null, though only columns beside business_id',
    await names(
      client,
      `${keys} select ${text} as name from keys where own = any($2) and target = any($2) and confdeltype in ('n', 'd') order by 1`,
      [[...tenant, ...global], tenant],
    ),
    'made anew without it; a trigger of the table that is pointed at sets null first',
  )
  add(
    'a foreign key that follows an update',
    await names(
      client,
      `${keys} select ${text} as name from keys where own = any($2) and target = any($2) and confupdtype <> 'a' order by 1`,
      [[...tenant, ...global], tenant],
    ),
    'made anew without it; a trigger of the table that is pointed at follows first',
  )
  add(
    'a trigger of a tenant table',
    await names(
      client,
      `select c.relname || ': ' || t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where not t.tgisinternal and c.relnamespace = 'public'::regnamespace and c.relname = any($1)
         and t.tgname !~ '^citus_|^truncate_trigger_' order by 1`,
      [tenant],
    ),
    'made on every shard (citus.enable_unsafe_triggers): it touches rows of its own business alone, which stand on the same node',
  )
  // a name in the body is enough: such a function is told apart by reading it
  add(
    'an SQL function that reads or writes tables: Citus cannot plan its parameters',
    await names(
      client,
      `select p.proname as name from pg_proc p join pg_language l on l.oid = p.prolang
       where p.pronamespace = 'public'::regnamespace and l.lanname = 'sql' and not exists (
           select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
         and exists (select from unnest($1::text[]) as t(name) where p.prosrc ~ ('\\m(from|join|into|update)\\s+' || t.name || '\\M')) order by 1`,
      [tenant],
    ),
    null,
  )
  const asOwner = (condition: string): Promise<string[]> =>
    names(
      client,
      `select p.oid::regprocedure::text as name from pg_proc p
       where p.pronamespace = 'public'::regnamespace and p.prosecdef and p.prorettype <> 'trigger'::regtype and (${condition})
         and exists (select from unnest($1::text[]) as t(name) where p.prosrc ~ ('\\m(from|join|into|update)\\s+' || t.name || '\\M')) order by 1`,
      [tenant],
    )
  add(
    'a function that runs as the owner: a second user, who has connections of its own and does not see what the transaction wrote',
    await asOwner("coalesce(p.proargnames[1] <> 'business', true)"),
    null,
  )
  add(
    delegatedKind,
    await asOwner("p.proargnames[1] = 'business'"),
    'handed whole to the node that has the business, where it runs in the transaction that stands there (force_delegation)',
  )
  add(
    'a function that names its business with set_config(), which stays on the coordinator: set local',
    await names(
      client,
      `select p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosrc ~ $1 order by 1`,
      ["set_config\\(\\s*'app\\."],
    ),
    null,
  )
  const notImmutable =
    'now|clock_timestamp|statement_timestamp|transaction_timestamp|gen_random_uuid|random|pg_current_xact_id'
  const written = (kind: string, pattern: string): Promise<void> =>
    names(
      client,
      "select p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosrc ~* $1 order by 1",
      [pattern],
    ).then((list) => add(kind, list, null))
  await written(
    'a function whose upsert sets what it asks a function for that is not immutable: a variable',
    `\\mdo\\s+update\\s+set[^;]*\\m(${notImmutable})\\(`,
  )
  await written(
    'a function that compares the name of its table, which on a shard has a number behind it',
    'tg_table_name\\s*(=|<>|in\\M|is\\M)',
  )
  await written(
    'a function that writes by "case x when", of which Citus loses the x: case when x =',
    '\\m(insert\\s+into|update\\s+\\w+(\\s+\\w+)?\\s+set|update\\s+set)\\M[^;]*\\mcase\\s+(?!when\\M)',
  )
  add(
    'a function that inserts what it selects from tables of businesses, and not their business_id',
    await names(
      client,
      `select p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace and exists (
         select from unnest($1::text[]) as t(name) where p.prosrc ~* ($2 || t.name || '\\M')) order by 1`,
      [
        tenant,
        '\\minsert\\s+into\\s+\\w+\\s*(as\\s+\\w+\\s*)?\\([^()]*\\)\\s*select\\s+(?!(\\w+\\.)?business_id\\M)[^;]*\\m(from|join)\\s+',
      ],
    ),
    null,
  )
  add(
    'a function with one plan for all values, which Citus cannot make',
    await names(
      client,
      `select p.oid::regprocedure::text as name from pg_proc p where p.pronamespace = 'public'::regnamespace
         and 'plan_cache_mode=force_generic_plan' = any(p.proconfig) order by 1`,
    ),
    'planned anew each time: alter function ... reset plan_cache_mode',
  )
  return found.map((one) => (one.name in heldElsewhere ? { ...one, solved: heldElsewhere[one.name] ?? null } : one))
}

/**
 * Functions that a shard runs: of triggers of tenant tables, of the wall, of columns that are computed, and those that these call. Each node must have
 * them, also where the database was migrated before it became a Citus.
 */
export const functionsOfShards = async (client: pg.ClientBase): Promise<string[]> => {
  const { tenant } = await tablesOfDatabase(client)
  return names(
    client,
    `with recursive own as (
       select p.oid, p.proname, p.prosrc from pg_proc p where p.pronamespace = 'public'::regnamespace
         and not exists (select from pg_depend e where e.objid = p.oid and e.deptype = 'e')),
     found as (
       select p.oid, p.prosrc from own p where
         exists (select from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgfoid = p.oid and c.relname = any($1))
         or exists (select from pg_depend d where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid
           and d.classid in ('pg_attrdef'::regclass, 'pg_policy'::regclass, 'pg_constraint'::regclass))
       union
       select p.oid, p.prosrc from found f join own p on f.prosrc ~ ('\\m' || p.proname || '\\('))
     select oid::regprocedure::text as name from found order by 1`,
    [tenant],
  )
}
