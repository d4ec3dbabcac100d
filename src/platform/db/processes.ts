import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

type ProcStat = { name: string; state: string; startedAt: string }

const readProcStat = (pid: number): ProcStat | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const rest = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return {
      name: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
      state: rest[0] ?? '',
      startedAt: rest[19] ?? '',
    }
  } catch {
    return null
  }
}

/** Whether a process lives (a zombie does not); with a name, whether it is that program, since ids are used again. */
export const isProcessAlive = (pid: number, name?: string): boolean => {
  if (!Number.isInteger(pid) || pid < 1) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  if (process.platform !== 'linux') return true
  const stat = readProcStat(pid)
  return stat !== null && stat.state !== 'Z' && (name === undefined || stat.name === name)
}

/** Tells two processes apart that had the same id one after the other: the moment it started, in the system's own words. */
export const processBirth = (pid: number): string => {
  if (process.platform === 'linux') return readProcStat(pid)?.startedAt ?? ''
  return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? ''
}
