import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { appRole, prospectsRole } from '../src/platform/db/database.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { distribute } from './structure/distribute.ts'
import { coordinatorSchemas, findingsOf, globalTables, tablesOfDatabase } from './structure/distribution.ts'

// npm run distribute -- <address> [--shards 32]   an empty or filled database on a Citus coordinator becomes a distributed one; safe to repeat
// npm run distribute -- <address> --look          says what stands where and what Citus would refuse; any PostgreSQL, changes nothing

const usage =
  'npm run distribute -- postgres://<owner>:<password>@<coordinator>:<port>/<database> [--shards 32], or --look to change nothing'

const say = (text: string): void => console.log(text)

const look = async (client: pg.Client): Promise<void> => {
  const { tenant, global } = await tablesOfDatabase(client)
  say(`${tenant.length} tables by business_id: ${tenant.join(', ')}`)
  say(`\n${global.length} tables on the coordinator alone:`)
  for (const name of global) say(`  ${name}: ${globalTables[name]}`)
  say('\nSchemas on the coordinator alone:')
  for (const [name, why] of Object.entries(coordinatorSchemas)) say(`  ${name}: ${why}`)
  const found = await findingsOf(client)
  for (const kind of new Set(found.map((one) => one.kind))) {
    const these = found.filter((one) => one.kind === kind)
    say(`\n${these.length} x ${kind}\n  ${these[0]?.solved ?? 'NOT SOLVED: the schema or the code has to change'}`)
    say(these.map(({ name }) => `  - ${name}`).join('\n'))
  }
}

const [address, ...flags] = process.argv.slice(2)
const at = flags.indexOf('--shards')
const shards = at < 0 ? 32 : Number(flags[at + 1])
if (!address || !URL.canParse(address) || !Number.isInteger(shards) || shards < 1) {
  console.error(`Which database? ${usage}`)
  process.exit(2)
}
const client = new pg.Client({ connectionString: address, application_name: 'swath-distribute' })
client.on('error', () => undefined)
try {
  await client.connect()
  if (flags.includes('--look')) await look(client)
  else {
    const made = await migrate({ url: address })
    await runMigrations({ connectionString: address })
    say(made.length === 0 ? 'The migrations were applied already.' : `Applied ${made.length} migrations.`)
    await distribute(client, { shards, roles: [appRole, prospectsRole], say })
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  await client.end().catch(() => undefined)
}
