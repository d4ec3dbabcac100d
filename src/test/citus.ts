import pg from 'pg'
import { distribute } from '../../scripts/structure/distribute.ts'
import { appRole, prospectsRole } from '../platform/db/database.ts'

// The server that the tests are given may be the coordinator of a Citus: then each of their databases stands on every node.

/** The administrator's addresses of database `postgres` on every node, the coordinator first; empty where the server is no Citus. */
export const nodesOf = async (client: pg.Client, url: string): Promise<string[]> => {
  const { rows } = await client.query("select 1 from pg_extension where extname = 'citus'")
  if (rows.length === 0) return []
  const nodes = await client.query<{ host: string; port: number }>(
    'select nodename as host, nodeport as port from pg_dist_node where isactive order by groupid',
  )
  return nodes.rows.map(({ host, port }) => {
    const changed = new URL(url)
    changed.hostname = host
    changed.port = String(port)
    changed.pathname = '/postgres'
    return changed.toString()
  })
}

const within = (url: string, database: string): string => {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.toString()
}

const run = async (url: string, ...statements: string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

const placeOf = (url: string): string => {
  const { hostname, port } = new URL(url)
  return `'${hostname}', ${port || 5432}`
}

/** An empty database on every node, which know each other. */
export const createOnNodes = async (nodes: string[], name: string, owner: string): Promise<void> => {
  for (const node of nodes) {
    await run(node, `create database ${name} owner ${owner}`)
    await run(within(node, name), 'create extension citus')
  }
  const [coordinator = '', ...workers] = nodes
  await run(
    within(coordinator, name),
    `select citus_set_coordinator_host(${placeOf(coordinator)})`,
    ...workers.map((worker) => `select citus_add_node(${placeOf(worker)})`),
  )
}

/** The migrated template becomes a distributed one, which nobody enters any more: it could not be copied while somebody is in it. */
export const distributeTemplate = async (nodes: string[], templateUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: templateUrl })
  await client.connect()
  try {
    // few shards: every one of them is a file in every copy
    await distribute(client, { shards: 2, roles: [appRole, prospectsRole], say: () => undefined })
  } finally {
    await client.end()
  }
  const name = new URL(templateUrl).pathname.slice(1)
  for (const node of nodes)
    await run(
      node,
      `alter database ${name} allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    )
}

/** A copy on every node. What was set for the template's database is set again: a copy does not have it. */
export const cloneOnNodes = async (nodes: string[], name: string, template: string, owner: string): Promise<void> => {
  for (const [index, node] of nodes.entries()) {
    await run(
      node,
      `create database ${name} template ${template} owner ${owner} strategy file_copy`,
      ...(index === 0 && template !== 'template1'
        ? [
            `alter database ${name} set citus.propagate_set_commands = 'local'`,
            `alter database ${name} set citus.enable_unsafe_triggers = 'on'`,
          ]
        : []),
    )
  }
}

export const dropOnNodes = async (nodes: string[], name: string): Promise<void> => {
  for (const node of nodes) await run(node, `drop database if exists ${name} with (force)`)
}
