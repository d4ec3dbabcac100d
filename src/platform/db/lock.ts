import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { randomToken } from '../ids.ts'
import { isProcessAlive, processBirth } from './processes.ts'

export type Holder = { pid: number; birth: string; what: string }

const readHolder = (path: string): Holder | null => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder
  } catch {
    return null
  }
}

const lives = (holder: Holder | null): holder is Holder =>
  holder !== null && isProcessAlive(holder.pid) && processBirth(holder.pid) === holder.birth

/** Who holds the lock at `path` and lives, else null. */
export const findHolder = (path: string): Holder | null => {
  const holder = readHolder(path)
  return lives(holder) ? holder : null
}

/**
 * Takes the lock file at `path` for this process; what a killed process left is taken over.
 * Returns the living holder instead when there is one.
 */
export const takeLock = (path: string, what: string): { release: () => void } | Holder => {
  const own: Holder = { pid: process.pid, birth: processBirth(process.pid), what }
  const draft = `${path}.${process.pid}.${randomToken(4)}`
  writeFileSync(draft, JSON.stringify(own), { mode: 0o600 })
  try {
    for (;;) {
      try {
        linkSync(draft, path)
        return {
          release: () => {
            if (readHolder(path)?.pid === process.pid) rmSync(path, { force: true })
          },
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const holder = readHolder(path)
      if (lives(holder)) return holder
      // moved away before it is looked at again: of two that find the same left-over only one gets it
      const aside = `${draft}.old`
      try {
        renameSync(path, aside)
      } catch {
        continue
      }
      const moved = readHolder(aside)
      if (lives(moved)) {
        try {
          linkSync(aside, path)
        } catch {
          // somebody was faster; the next round sees him
        }
      }
      rmSync(aside, { force: true })
    }
  } finally {
    rmSync(draft, { force: true })
  }
}
