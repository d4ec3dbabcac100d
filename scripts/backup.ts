import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { config } from '../src/platform/config.ts'
import { backUp, backupName } from '../src/platform/db/backup.ts'
import { findEmbedded, StartError, startEmbedded } from '../src/platform/db/supervisor.ts'

// npm run backup [-- <new folder>]: the whole data folder, while Swath runs or not

const target = resolve(process.argv[2] ?? join(config.dataDir, 'backups', backupName()))

/** What a copy of the data folder cannot hold is said, so that nobody learns it from a restore. */
const sayWhereFilesAre = (): void => {
  if (config.files)
    console.log(
      `Photos and documents are in the bucket ${config.files.bucket} and were not copied: keep versions of it, or a second bucket, with that service's own tools.`,
    )
}

const copyFilesOnly = (): void => {
  mkdirSync(target, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(config.dataDir).filter(
    (entry) => !['backups', 'log', 'running.json'].includes(entry),
  )) {
    cpSync(join(config.dataDir, name), join(target, name), { recursive: true, preserveTimestamps: true })
  }
  console.log(
    `Copied ${config.files ? 'keys' : 'files and keys'} to ${target}. The database is at DATABASE_URL: copy it with that server's own tools (pg_dump).`,
  )
}

const copyEverything = async (): Promise<void> => {
  const own = findEmbedded(config.dataDir) ? null : await startEmbedded(config.dataDir, 'backup')
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    await backUp(config.dataDir, target, 'full')
    console.log(
      `Copied database${config.files ? '' : ', files'} and keys to ${target}. It holds the keys: keep it as safe as the data.`,
    )
  } finally {
    await own?.stop()
  }
}

try {
  if (config.databaseUrl) copyFilesOnly()
  else await copyEverything()
  sayWhereFilesAre()
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
}
