import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { randomToken } from '../ids.ts'

const shape = z.object({
  /** Names this data folder for ever; a copied folder has the same one. */
  id: z.uuid(),
  superuserPassword: z.string(),
  ownerPassword: z.string(),
  /** Port that the database had last, used again when it is free. */
  port: z.number().int().optional(),
})

/** What a data folder knows of its embedded database. */
export type Instance = z.output<typeof shape>

const fileOf = (dataDir: string): string => join(dataDir, 'instance.json')

const draftOf = (dataDir: string, instance: Instance): string => {
  const draft = `${fileOf(dataDir)}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(instance, null, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  return draft
}

/** Makes the data folder when absent and returns its real path, so that two ways to one folder are one. */
export const makeDataDir = (dataDir: string): string => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  return realpathSync(dataDir)
}

export const findInstance = (dataDir: string): Instance | null =>
  existsSync(fileOf(dataDir)) ? shape.parse(JSON.parse(readFileSync(fileOf(dataDir), 'utf8'))) : null

/** The instance of a data folder; a new folder gets a new one. */
export const openInstance = (dataDir: string): Instance => {
  const found = findInstance(dataDir)
  if (found) return found
  const draft = draftOf(dataDir, {
    id: randomUUID(),
    superuserPassword: randomToken(24),
    ownerPassword: randomToken(24),
  })
  try {
    linkSync(draft, fileOf(dataDir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return shape.parse(JSON.parse(readFileSync(fileOf(dataDir), 'utf8')))
}

export const saveInstance = (dataDir: string, instance: Instance): void =>
  renameSync(draftOf(dataDir, instance), fileOf(dataDir))
