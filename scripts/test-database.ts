import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import pg from 'pg'

// npm run test:database -- <address> [files and flags of vitest]: every server test against that server instead of the embedded one

const root = resolve(import.meta.dirname, '..')
const usage = 'npm run test:database -- postgres://<administrator or owner>:<password>@<host>:<port>/postgres [files]'
const oldest = 150_000

const refuse = (text: string): never => {
  console.error(text)
  process.exit(2)
}

type Server = { number: number; version: string; admin: boolean; createdb: boolean; createrole: boolean; user: string }

/**
 * The server at an address, when tests may work there.
 * @throws Error with what to do, before anything was changed
 */
const askServer = async (address: string): Promise<Server> => {
  const { protocol, pathname } = new URL(address)
  if (!/^postgres(ql)?:$/.test(protocol)) throw new Error(`An address looks like this: ${usage}`)
  // whoever names a database means that one, and no test may work in it
  if (pathname !== '/postgres')
    throw new Error(
      `The tests make databases of their own and touch no other. The address names ${pathname.slice(1) || 'none'}: end it with /postgres to say that a server is meant, not a database.`,
    )
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const { rows } = await client.query<Server>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
         rolsuper as admin, rolcreatedb as createdb, rolcreaterole as createrole, current_user as user
       from pg_roles where rolname = current_user`,
    )
    const [server] = rows
    if (!server) throw new Error('The server does not say who is asking.')
    if (server.number < oldest) throw new Error(`Swath needs PostgreSQL 15 or newer; this is ${server.version}.`)
    if (!server.admin && !(server.createdb && server.createrole))
      throw new Error(
        `"${server.user}" may not make databases and roles: alter role ${server.user} createdb createrole;`,
      )
    return server
  } finally {
    await client.end()
  }
}

const [address, ...args] = process.argv.slice(2)
if (!address || !URL.canParse(address)) refuse(`Which server? ${usage}`)
const server = await askServer(address as string).catch((error: Error) =>
  refuse(`Nothing was touched. ${error.message}`),
)
console.log(
  `PostgreSQL ${server.version}. Databases of the run are called swath_test_...; no other is touched.${server.admin ? '' : ' Tests that need an administrator are left out.'}`,
)
const child = spawn(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'server', ...args],
  {
    cwd: root,
    env: {
      ...process.env,
      SWATH_TEST_DATABASE_URL: address,
      SWATH_TEST_DATABASE_ADMIN: server.admin ? '1' : '',
    },
    stdio: 'inherit',
  },
)
child.once('close', (code) => {
  process.exitCode = code ?? 1
})
