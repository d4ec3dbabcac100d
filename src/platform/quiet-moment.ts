import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** Background work of a process that also answers people steps aside for them: it takes its next step between their requests. */

const background = new AsyncLocalStorage<true>()
let answering = 0

const lookMs = 4
/** A business that is never quiet has its work done, too. */
const mostMs = 100

/** Somebody asks and waits. Returns what ends it, once however often it is called. */
export const beginAnswering = (): (() => void) => {
  let over = false
  answering += 1
  return () => {
    if (!over) answering -= 1
    over = true
  }
}

/** Runs work that nobody waits for at a screen. */
export const inBackground = <T>(work: () => Promise<T>): Promise<T> => background.run(true, work)

/** Inside of `inBackground`: whether somebody waits for an answer of this process just now. */
export const arePeopleWaiting = (): boolean => answering > 0 && background.getStore() === true

/** Inside of `inBackground`: waits while somebody waits for an answer of this process, a moment at most. */
export const letPeopleFirst = async (): Promise<void> => {
  if (!arePeopleWaiting()) return
  for (let waited = 0; answering > 0 && waited < mostMs; waited += lookMs) await sleep(lookMs)
}
