import { createHash } from 'node:crypto'
import pg from 'pg'
import { limits } from '../../src/platform/db/database.ts'
import { delegatedKind, findingsOf, functionsOfShards, tablesOfDatabase } from './distribution.ts'

const quote = pg.escapeIdentifier

/** Everything else stands beside it: the shards of one business are on one node, whatever the table. */
const first = 'businesses'

type Key = { own: string; name: string; definition: string }
type Steps = { shards: number; roles: readonly string[]; say: (text: string) => void }

const rowsOf = async <T extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
  values: unknown[] = [],
): Promise<T[]> => (await client.query<T>(text, values)).rows

/** @throws Error with what an administrator has to do, before anything was changed */
const checkCluster = async (client: pg.Client): Promise<void> => {
  const extension = await rowsOf(client, "select 1 from pg_extension where extname = 'citus'")
  if (extension.length === 0)
    throw new Error(
      'This database has no Citus. As an administrator, on every node: create extension citus; (docs/operations.md).',
    )
  const [nodes] = await rowsOf<{ coordinator: boolean; holds: boolean; workers: number }>(
    client,
    `select coalesce(bool_or(groupid = 0), false) as coordinator, coalesce(bool_or(groupid = 0 and shouldhaveshards), false) as holds, (count(*) filter (where groupid <> 0 and isactive and shouldhaveshards))::int as workers
     from pg_dist_node`,
  )
  const [own] = await rowsOf<{ coordinator: boolean }>(client, 'select citus_is_coordinator() as coordinator')
  if (!own?.coordinator) throw new Error('This is a worker: give the address of the coordinator.')
  if (!nodes?.coordinator || nodes.workers === 0)
    throw new Error(
      'The coordinator does not know its nodes. As an administrator: select citus_set_coordinator_host(...), then select citus_add_node(...) for each worker (docs/operations.md).',
    )
  if (nodes.holds)
    throw new Error(
      "The coordinator may hold no shards: it plans for one business, and a shard asks anew. As an administrator: select citus_set_node_property(<host>, <port>, 'shouldhaveshards', false).",
    )
}

/** What holds for every connection of this database, so that the product says nothing of Citus. */
const setDatabase = async (client: pg.Client): Promise<void> => {
  const [{ name } = { name: '' }] = await rowsOf<{ name: string }>(client, 'select current_database() as name')
  const settings = {
    // the business of a transaction reaches the workers, where the wall stands
    'citus.propagate_set_commands': 'local',
    // triggers touch rows of their own business, which stand on the same node
    'citus.enable_unsafe_triggers': 'on',
  }
  for (const [setting, value] of Object.entries(settings)) {
    await client.query(`set ${setting} = '${value}'`)
    await client.query(`alter database ${quote(name)} set ${setting} = '${value}'`)
  }
  await client.query('set client_min_messages = warning')
}

/**
 * The coordinator speaks to its workers as whoever asks, so these roles sign in there; and on the coordinator, because a worker that is added gets the
 * roles as they are on it. They have no password: who may come from where, each node's pg_hba.conf says.
 */
const openWorkers = async (client: pg.Client, roles: readonly string[], say: Steps['say']): Promise<void> => {
  // Citus takes the statement to every worker, also where the role could sign in here already
  for (const role of roles) await client.query(`alter role ${quote(role)} login`)
  // what the product sets for its connections ends at the coordinator; how long a whole statement may take is counted there
  const { TimeZone, lock_timeout, plan_cache_mode } = limits
  for (const role of roles)
    for (const [setting, value] of Object.entries({ TimeZone, lock_timeout, plan_cache_mode }))
      await client.query(`alter role ${quote(role)} set ${setting} = '${value}'`)
  say(`The roles ${roles.join(', ')} sign in on every node.`)
}

const distributed = async (client: pg.Client): Promise<Set<string>> =>
  new Set(
    (
      await rowsOf<{ name: string }>(
        client,
        "select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid where p.partmethod = 'h'",
      )
    ).map(({ name }) => name),
  )

/** Foreign keys wait in a table of their own while tables move: cut off, the next run goes on with them. */
const setAsideKeys = async (client: pg.Client, tenant: string[], done: Set<string>): Promise<void> => {
  await client.query('create schema if not exists distribution')
  await client.query(
    'create table if not exists distribution.foreign_keys (own text, name text, definition text not null, primary key (own, name))',
  )
  const keys = await rowsOf<Key & { target: string; sets: boolean }>(
    client,
    `select c.relname as own, f.relname as target, k.conname as name, pg_get_constraintdef(k.oid) as definition, k.confdeltype in ('n', 'd') or k.confupdtype <> 'a' as sets
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
     where k.contype = 'f' and k.connamespace = 'public'::regnamespace and c.relname = any($1) and f.relname = any($1)`,
    [tenant],
  )
  for (const { own, target, name, definition, sets } of keys) {
    if (done.has(own) && done.has(target) && !sets) continue
    await client.query('begin')
    await client.query('insert into distribution.foreign_keys values ($1, $2, $3) on conflict do nothing', [
      own,
      name,
      definition,
    ])
    await client.query(`alter table ${quote(own)} drop constraint ${quote(name)}`)
    await client.query('commit')
  }
}

const planAnew = async (client: pg.Client, say: Steps['say']): Promise<void> => {
  for (const { kind, name } of await findingsOf(client)) {
    if (!kind.startsWith('a function with one plan')) continue
    await client.query(`alter function ${name} reset plan_cache_mode`)
    say(`${name} is planned anew each time.`)
  }
}

const dropForeignToCoordinator = async (client: pg.Client, say: Steps['say']): Promise<void> => {
  const found = await findingsOf(client)
  for (const { kind, name, solved } of found) {
    if (solved === null || !/^a foreign key from a global|^a unique key/.test(kind)) continue
    const [table = '', key = ''] = name.split(': ')
    await client.query(`alter table ${quote(table)} drop constraint ${quote(key)}`)
    say(`Dropped ${key} of ${table}.`)
  }
}

/** Moves one table; the rows that went are counted again on the shards, since behind the wall there are none to see. */
const moveTable = async (client: pg.Client, table: string, shards: number): Promise<number> => {
  const name = quote(table)
  const count = async (): Promise<number> =>
    (await rowsOf<{ n: number }>(client, `select count(*)::int as n from ${name}`))[0]?.n ?? 0
  await client.query('begin')
  try {
    await client.query(`alter table ${name} no force row level security`)
    const before = await count()
    if (table === first)
      await client.query('select create_distributed_table($1::regclass, $2, shard_count => $3)', [
        table,
        'business_id',
        shards,
      ])
    else
      await client.query('select create_distributed_table($1::regclass, $2, colocate_with => $3)', [
        table,
        'business_id',
        first,
      ])
    const after = await count()
    if (after !== before) throw new Error(`${table}: ${before} rows went and ${after} arrived. Nothing was changed.`)
    await client.query(`alter table ${name} force row level security`)
    await client.query('commit')
    return after
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const shape = /^FOREIGN KEY \(([^)]+)\) REFERENCES (\w+)\(([^)]+)\)(.*)$/
const setsNull = / ON DELETE SET NULL(?: \(([^)]+)\))?/
const follows = / ON UPDATE CASCADE/

const referenceFunction = `
  create or replace function keep_reference() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
  -- what "on delete set null" and "on update cascade" do, where the database cannot: tg_argv are the table, what is set, and which rows
  begin
    execute format('update %I set %s where %s', tg_argv[0], tg_argv[1], tg_argv[2]) using old, new;
    return null;
  end $$`

/** A trigger of the table that is pointed at. It comes before the check of the key: triggers of one row run in the order of their names. */
const triggerOf = async (
  client: pg.Client,
  { own, name }: Key,
  target: string,
  event: string,
  set: string[],
  where: string[],
): Promise<void> => {
  const hash = createHash('sha256').update(`${own}.${name}.${event}`).digest('hex').slice(0, 12)
  const trigger = quote(`00_keep_${hash}`)
  const words = [own, set.join(', '), where.join(' and ')].map((text) => pg.escapeLiteral(text)).join(', ')
  await client.query(`drop trigger if exists ${trigger} on ${quote(target)}`)
  await client.query(
    `create trigger ${trigger} after ${event} on ${quote(target)} for each row execute function keep_reference(${words})`,
  )
}

/** The key as Citus takes it, where triggers have to do a part of it; null where it takes it whole. */
const withoutActions = async (client: pg.Client, key: Key): Promise<string | null> => {
  const [, columnList = '', target = '', targetList = '', actions = ''] = shape.exec(key.definition) ?? []
  const columns = columnList.split(', ')
  const targets = targetList.split(', ')
  const pairs = columns.map((column, index) => `${column} = ($1).${targets[index]}`)
  const deleted = setsNull.exec(actions)
  const updated = follows.test(actions)
  if (!deleted && !updated) return null
  if (deleted) {
    const gone = deleted[1]?.split(', ') ?? columns.filter((column) => column !== 'business_id')
    const set = gone.map((column) => `${column} = null`)
    await triggerOf(client, key, target, 'delete', set, pairs)
  }
  if (updated) {
    const moved = columns.flatMap((column, index) =>
      column === 'business_id' ? [] : [{ column, of: targets[index] ?? '' }],
    )
    const set = moved.map(({ column, of }) => `${column} = ($2).${of}`)
    await triggerOf(client, key, target, `update of ${moved.map(({ of }) => of).join(', ')}`, set, pairs)
  }
  return key.definition.replace(setsNull, '').replace(follows, '')
}

const putKeysBack = async (client: pg.Client): Promise<{ keys: number; helped: number }> => {
  await client.query(referenceFunction)
  let helped = 0
  const keys = await rowsOf<Key>(
    client,
    'select own, name, definition from distribution.foreign_keys order by own, name',
  )
  for (const key of keys) {
    await client.query('begin')
    try {
      const without = await withoutActions(client, key)
      if (without) helped += 1
      await client.query(`alter table ${quote(key.own)} add constraint ${quote(key.name)} ${without ?? key.definition}`)
      await client.query('delete from distribution.foreign_keys where own = $1 and name = $2', [key.own, key.name])
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw new Error(`${key.own}, ${key.name}: ${(error as Error).message}`, { cause: error })
    }
  }
  return { keys: keys.length, helped }
}

/**
 * The wall asks for the business of the transaction. Planned as a constant, it is in every part of a query, so that Citus sends the query as it is to the
 * one node that has the business; otherwise it refuses much of SQL. On the coordinator alone, where no row stands and a query is planned each time that it
 * runs: on the shards it is asked anew, whatever was planned. A worker that is added gets the coordinator's, so they are set right here too.
 */
const planByBusiness = async (client: pg.Client, say: Steps['say']): Promise<void> => {
  const wall = 'function public.current_business_id()'
  await client.query('begin')
  await client.query('set local citus.enable_ddl_propagation = off')
  await client.query(`alter ${wall} immutable`)
  await client.query('commit')
  const answers = await rowsOf<{ success: boolean; result: string; nodename: string; nodeport: number }>(
    client,
    'select success, result, nodename, nodeport from run_command_on_workers($1)',
    [`do $$ begin set local citus.enable_ddl_propagation = off; alter ${wall} stable; end $$`],
  )
  const bad = answers.find(({ success }) => !success)
  if (bad) throw new Error(`${bad.nodename}:${bad.nodeport}: ${bad.result}`)
  say('The coordinator plans each query for the business of its transaction.')
}

/** @throws Error naming the function and the node that lacks it */
const checkFunctions = async (client: pg.Client): Promise<number> => {
  const functions = await functionsOfShards(client)
  for (const name of functions) {
    const answers = await rowsOf<{ success: boolean; nodename: string; nodeport: number; result: string }>(
      client,
      'select success, nodename, nodeport, result from run_command_on_workers($1)',
      [`select to_regprocedure(${pg.escapeLiteral(name)}) is not null`],
    )
    const bad = answers.find(({ success, result }) => !success || result !== 't')
    if (!bad) continue
    await client.query('select create_distributed_function($1::regprocedure)', [name])
  }
  return functions.length
}

/**
 * A function that runs as the owner cannot do so from here beside what `swath_app` has written: a second user has connections of its own. Its whole call
 * goes to the node of the business, into the transaction that stands there.
 */
const delegate = async (client: pg.Client): Promise<number> => {
  const functions = (await findingsOf(client)).filter(({ kind }) => kind === delegatedKind)
  for (const { name } of functions)
    await client.query(
      'select create_distributed_function($1::regprocedure, $2, colocate_with => $3, force_delegation => true)',
      [name, 'business', first],
    )
  return functions.length
}

/**
 * Makes a migrated database on a Citus coordinator a distributed one: tenant tables by business_id and beside each other. Each step is small and
 * stands by itself, so that a run which was cut off is gone on with by the next, and a second run finds nothing to do. No process of the product may
 * be at work meanwhile.
 * @throws Error with what is in the way
 */
export const distribute = async (client: pg.Client, { shards, roles, say }: Steps): Promise<void> => {
  await checkCluster(client)
  await setDatabase(client)
  await openWorkers(client, roles, say)
  const { tenant, global } = await tablesOfDatabase(client)
  const before = await distributed(client)
  await dropForeignToCoordinator(client, say)
  await planAnew(client, say)
  await setAsideKeys(client, tenant, before)
  const left = [first, ...tenant.filter((table) => table !== first)].filter((table) => !before.has(table))
  let rows = 0
  for (const table of left) {
    const moved = await moveTable(client, table, shards)
    rows += moved
    if (moved > 0) await client.query('select truncate_local_data_after_distributing_table($1::regclass)', [table])
  }
  say(
    left.length === 0
      ? `All ${tenant.length} tables of businesses were distributed already.`
      : `Distributed ${left.length} of ${tenant.length} tables by business_id, with ${rows} rows; ${global.length} stay on the coordinator.`,
  )
  const { keys, helped } = await putKeysBack(client)
  say(`Foreign keys put back: ${keys}, of which ${helped} are helped by a trigger.`)
  say(`Functions that shards run are on every node: ${await checkFunctions(client)}.`)
  say(`Functions that run as the owner on the node of their business: ${await delegate(client)}.`)
  await planByBusiness(client, say)
  const open = (await findingsOf(client)).filter(({ solved }) => solved === null)
  for (const { kind, name } of open) say(`Not solved: ${kind}: ${name}`)
}
