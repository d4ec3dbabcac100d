import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

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

const workingDir = (pid: number): string | null => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/** Processes of that program which work in a folder. Linux only; elsewhere none are found. */
export const processesIn = (dir: string, name: string): number[] => {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => workingDir(pid) === dir && isProcessAlive(pid, name))
}

const signal = (pid: number, kind: 'SIGQUIT' | 'SIGKILL'): void => {
  try {
    process.kill(pid, kind)
  } catch {
    // gone by itself
  }
}

/** Ends processes and waits until they are gone: asked first, forced after a second. */
export const endProcesses = async (pids: readonly number[], name: string): Promise<void> => {
  for (const kind of ['SIGQUIT', 'SIGKILL'] as const) {
    const left = pids.filter((pid) => isProcessAlive(pid, name))
    for (const pid of left) signal(pid, kind)
    for (let waited = 0; waited < 1_000 && left.some((pid) => isProcessAlive(pid, name)); waited += 10) await sleep(10)
  }
}
